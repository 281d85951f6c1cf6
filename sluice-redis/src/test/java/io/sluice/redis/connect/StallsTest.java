package io.sluice.redis.connect;

import static io.sluice.redis.connect.Stalls.STALL_NANOS;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class StallsTest {
    private static final long WATCH_NANOS = 20_000_000;
    private static final long GRACE_NANOS = 50_000_000;

    private final Stalls stalls = new Stalls(100_000_000);
    private final long start = System.nanoTime();

    @Test
    void isLate_withoutAStall_fromTheDeadlineOn() {
        watchOnTime(start);

        assertThat(stalls.isLate(start + 999, start + 1000)).isFalse();
        assertThat(stalls.isLate(start + 1000, start + 1000)).isTrue();
    }

    @Test
    void isLate_deadlinePassedDuringAStall_onlyAfterTheGrace() {
        long deadline = start + 1000;
        long awake = standStill(start, 300_000_000);

        assertThat(stalls.isLate(awake, deadline)).isFalse();
        stalls.ran(awake);
        assertThat(stalls.isLate(awake, deadline)).isFalse();
        assertThat(stalls.isLate(awake + GRACE_NANOS - 1, deadline)).isFalse();
        assertThat(stalls.isLate(awake + GRACE_NANOS, deadline)).isTrue();
    }

    @Test
    void isLate_watchSlightlyLate_isNoStall() {
        stalls.watch(start, start + WATCH_NANOS);
        long now = start + WATCH_NANOS + STALL_NANOS - 1;

        assertThat(stalls.isLate(now, start + 1000)).isTrue();
        stalls.ran(now);
        assertThat(stalls.isLate(now, start + 1000)).isTrue();
    }

    @Test
    void isLate_deadlinePassedBeforeAStall_atOnce() {
        long awake = standStill(start, 300_000_000);
        stalls.ran(awake);

        assertThat(stalls.isLate(awake, start - 1)).isTrue();
    }

    @Test
    void isLate_repeatedStalls_eachCallIsExcusedOnce() {
        long deadline = start + 1000;
        long awake = standStill(start, 300_000_000);
        stalls.ran(awake);
        long again = standStill(awake, 300_000_000);

        assertThat(stalls.isLate(again, deadline)).isTrue();
        stalls.ran(again);
        assertThat(stalls.isLate(again, deadline)).isTrue();
        assertThat(stalls.isLate(again, awake + 1000)).isFalse();
    }

    @Test
    void end_afterAStall_leavesTimeToDecide() {
        long deadline = start + 1000;
        assertThat(stalls.end(start, deadline)).isEqualTo(deadline);

        long awake = standStill(start, 300_000_000);
        assertThat(stalls.end(awake, deadline)).isEqualTo(awake + GRACE_NANOS);
        assertThat(stalls.end(awake, awake + 2 * GRACE_NANOS)).isEqualTo(awake + 2 * GRACE_NANOS);
    }

    @Test
    void rest_isUntilTheDeadline_thenTheGrace() {
        assertThat(stalls.rest(start, start + 1000)).isEqualTo(1000);
        assertThat(stalls.rest(start, start - 1000)).isEqualTo(GRACE_NANOS);
    }

    @Test
    void grace_isHalfOfALongDeadline_butNeverShort() {
        assertThat(new Stalls(20_000_000).graceNanos()).isEqualTo(GRACE_NANOS);
        assertThat(new Stalls(100_000_000).graceNanos()).isEqualTo(GRACE_NANOS);
        assertThat(new Stalls(2_000_000_000).graceNanos()).isEqualTo(1_000_000_000);
    }

    private void watchOnTime(long now) {
        stalls.watch(now - WATCH_NANOS, now);
        stalls.ran(now);
    }

    /** Simulates a stall: the watch is due but does not run. Returns the time of its end. */
    private long standStill(long now, long nanos) {
        stalls.watch(now, now + WATCH_NANOS);
        return now + nanos;
    }
}
