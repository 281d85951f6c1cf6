package io.sluice.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.sluice.Decision;
import io.sluice.Limit;
import java.util.List;
import org.junit.jupiter.api.Test;

class ReferenceModelDecideTest {
    private static final long T = 1_700_000_000_000_000L;
    private static final long SECOND = 1_000_000;

    private final ReferenceModel global = ReferenceModel.of(Limit.parse("leaky-bucket 10/s capacity 20 lockout 1m"));
    private final ReferenceModel user = ReferenceModel.of(Limit.parse("sliding-log 5 per 1m lockout 5m"));

    @Test
    void decide_allAllow_takesAll() {
        global.check("all", 10, T);

        assertThat(ReferenceModel.decide(
                        T, List.of(new ModelCharge(global, "all", 2), new ModelCharge(user, "ann", 3))))
                .containsExactly(new Decision(true, 8, 0, SECOND, 1_200_000), new Decision(true, 2, 0, 0, 60 * SECOND));
    }

    @Test
    void decide_oneDenies_takesNothingAndLocksOnlyThatOne() {
        global.check("all", 10, T);

        assertThat(ReferenceModel.decide(
                        T, List.of(new ModelCharge(global, "all", 2), new ModelCharge(user, "ann", 6))))
                .containsExactly(
                        new Decision(true, 10, 0, SECOND, SECOND),
                        new Decision(false, 0, Decision.NEVER, 0, 300 * SECOND));
        assertThat(global.peek("all", 10, T).allowed()).isTrue();
        assertThat(user.peek("bob", 5, T).allowed()).isTrue();
    }

    @Test
    void decide_sameKeyTwice_decidesTheSum() {
        assertThat(ReferenceModel.decide(T, List.of(new ModelCharge(user, "ann", 3), new ModelCharge(user, "ann", 2))))
                .containsExactly(new Decision(true, 0, 0, 0, 60 * SECOND), new Decision(true, 0, 0, 0, 60 * SECOND));

        assertThat(ReferenceModel.decide(T, List.of(new ModelCharge(user, "bob", 3), new ModelCharge(user, "bob", 3))))
                .extracting(Decision::allowed, Decision::never)
                .containsOnly(tuple(false, true));
    }

    @Test
    void decide_sumTooLargeForALong_isDenied() {
        ModelCharge most = new ModelCharge(user, "ann", Long.MAX_VALUE);

        assertThat(ReferenceModel.decide(T, List.of(most, most)))
                .extracting(Decision::never)
                .containsExactly(true, true);
    }

    @Test
    void decide_nothing_answersNothing() {
        assertThat(ReferenceModel.decide(T, List.of())).isEmpty();
    }
}
