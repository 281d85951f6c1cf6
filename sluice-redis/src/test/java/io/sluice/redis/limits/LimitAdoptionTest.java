package io.sluice.redis.limits;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.Limit;
import io.sluice.LimiterOptions;
import io.sluice.OnFailure;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Tests what is reported when limits are adopted. */
class LimitAdoptionTest {
    private static final Limit LIMIT = Limit.parse("10/s");

    private final LimitAdoption adoption = new LimitAdoption(Runnable::run);
    private final List<Integer> reported = new ArrayList<>();

    private static AgreedLimits limiter(String name, Consumer<VersionedLimits> changed) {
        return new AgreedLimits(name, LimiterOptions.onFailure(OnFailure.ALLOW), List.of(LIMIT), changed);
    }

    private static VersionedLimits version(int number) {
        return new VersionedLimits(List.of(new LimitsVersion(number, 0, 0, List.of(LIMIT))));
    }

    @Test
    void adopt_newerLimitsComeBeforeTheReport_reportsBoth() {
        AgreedLimits slow = limiter("slow", adopted -> reported.add(adopted.version()));
        AgreedLimits first = limiter("first", adopted -> adoption.adopt(Map.of(slow, version(3))));
        Map<AgreedLimits, VersionedLimits> read = new LinkedHashMap<>();
        read.put(first, version(2));
        read.put(slow, version(2));

        adoption.adopt(read);

        assertThat(reported).containsExactly(3, 2);
    }

    @Test
    void adopt_sameVersionAgain_reportsNothing() {
        AgreedLimits limiter = limiter("api", adopted -> reported.add(adopted.version()));
        adoption.adopt(Map.of(limiter, version(2)));
        adoption.adopt(Map.of(limiter, version(2)));
        assertThat(reported).containsExactly(2);
    }
}
