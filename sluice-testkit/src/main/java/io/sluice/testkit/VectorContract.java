package io.sluice.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.RateLimiter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

interface VectorContract extends StoreUnderTest {
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    default void vectors_everyRow_isMatched(boolean forwardOnly) {
        for (String name : Vectors.names()) {
            Vector vector = Vectors.load(name);
            long start = vector.rows().get(0).micros();
            ManualTime time = forwardOnly ? ManualTime.forwardOnly(start) : ManualTime.at(start);
            RateLimiter limiter = newLimiter(time, vector.limit());
            for (Vector.Row row : vector.rows()) {
                time.set(row.micros());
                assertThat(limiter.check(row.key(), row.permits()))
                        .as("%s %s", name, row)
                        .isEqualTo(row.decision());
            }
        }
    }
}
