package io.sluice.benchmarks.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.benchmarks.common.ProgressLog;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class RoundsTest {
    private static final LoadPlan PACE = new LoadPlan(1, 3, Duration.ofMillis(1), Duration.ofHours(1));
    private static final long FAILS = -1;

    /** So many calls a second in each round, and p99 a thousandth of that. */
    private static Contestant contestant(String who, Long... perSecond) {
        Queue<Long> rates = new ArrayDeque<>(Arrays.asList(perSecond));
        return new Contestant(who, "test", time -> {
            long rate = rates.remove();
            if (rate == FAILS) {
                throw new IllegalStateException("cold");
            }
            return new Sample(rate, TimeUnit.SECONDS.toNanos(1), rate / 1000.0);
        });
    }

    private static Rounds run(Contestant... contestants) throws InterruptedException {
        return run(PACE, contestants);
    }

    private static Rounds run(LoadPlan pace, Contestant... contestants) throws InterruptedException {
        Rounds rounds = new Rounds(pace, new ProgressLog());
        rounds.run(List.of(contestants));
        return rounds;
    }

    @Test
    void figure_isTheMedianWithoutTheWarmUp() throws InterruptedException {
        Contestant sluice = contestant("Sluice", 9_000_000L, 3000L, 1000L, 2000L);

        assertThat(run(sluice).figure(sluice)).isEqualTo(new Measurement("Sluice", 2000.0, 2.0));
    }

    @Test
    void round_thatWouldTakeTooLong_isLeftOut() throws InterruptedException {
        Contestant sluice = contestant("Sluice", 9_000_000L, 3000L);

        assertThat(run(new LoadPlan(1, 3, Duration.ofMillis(1), Duration.ZERO), sluice)
                        .figure(sluice)
                        .rate())
                .isEqualTo(3000.0);
    }

    @Test
    void contestant_thatFailsWhileWarmingUp_takesPart() throws InterruptedException {
        Contestant sluice = contestant("Sluice", FAILS, 1000L, 1000L, 1000L);

        Rounds rounds = run(sluice);

        assertThat(rounds.failed()).isFalse();
        assertThat(rounds.figure(sluice).rate()).isEqualTo(1000.0);
    }

    @Test
    void contestant_thatFailsOnce_leavesItsPlaceEmpty() throws InterruptedException {
        Contestant sluice = contestant("Sluice", 1000L, 1000L, FAILS, 1000L);
        Contestant peer = contestant("Redisson", 1000L, 1000L, 1000L, 1000L);

        Rounds rounds = run(sluice, peer);

        assertThat(rounds.failed()).isTrue();
        assertThat(rounds.figure(sluice)).isEqualTo(new Measurement("Sluice", null, null));
        assertThat(rounds.figure(peer)).isEqualTo(new Measurement("Redisson", 1000.0, 1.0));
    }

    @Test
    void pairedRows_ratio_isTheMedianOfTheRounds() throws InterruptedException {
        Contestant sluice = contestant("Sluice", 1L, 100L, 900L, 50L);
        Contestant peer = contestant("bare", 1L, 200L, 1000L, 500L);

        List<CaseResult> rows =
                new Rounds(PACE, new ProgressLog()).pairedRows(List.of(new Case("case", sluice, List.of(peer))));

        // The ratio of the medians would be 0.2.
        assertThat(rows.get(0).ratio(rows.get(0).peer("bare"))).isEqualTo(0.5);
    }

    @Test
    void pairedRows_ofAContestantThatFailed_haveNoRatio() throws InterruptedException {
        Contestant sluice = contestant("Sluice", 1L, 100L, FAILS, 50L);
        Contestant peer = contestant("bare", 1L, 200L, 1000L, 500L);

        List<CaseResult> rows =
                new Rounds(PACE, new ProgressLog()).pairedRows(List.of(new Case("case", sluice, List.of(peer))));

        assertThat(rows.get(0).ratio(rows.get(0).peer("bare"))).isNull();
    }
}
