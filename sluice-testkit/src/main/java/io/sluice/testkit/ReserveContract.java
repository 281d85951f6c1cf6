package io.sluice.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.Limit;
import io.sluice.RateLimiter;
import io.sluice.Reservation;
import java.time.Duration;
import org.junit.jupiter.api.Test;

interface ReserveContract extends StoreUnderTest {
    @Test
    default void reserve_aheadOfTime_isFirstComeFirstServed() {
        RateLimiter limiter = newLimiter(new ManualTime(), "1/s burst 2");
        assertThat(limiter.reserve("key", 2).delay()).isEqualTo(Duration.ZERO);
        assertThat(limiter.reserve("key", 1).delay()).isEqualTo(Duration.ofSeconds(1));
        assertThat(limiter.reserve("key", 2).delay()).isEqualTo(Duration.ofSeconds(3));
        assertThat(limiter.peek("key", 1).retryAfter()).isEqualTo(Duration.ofSeconds(4));
        Reservation tooLate = limiter.reserve("key", 1, Duration.ofSeconds(3));
        assertThat(tooLate.granted()).isFalse();
        assertThat(tooLate.retryAfter()).isEqualTo(Duration.ofSeconds(4));
        assertThatThrownBy(tooLate::delay).isInstanceOf(IllegalStateException.class);
        assertThat(limiter.reserve("key", 3).granted())
                .as("more than the burst")
                .isFalse();
    }

    @Test
    default void cancel_twice_givesBackOnce() {
        RateLimiter limiter = newLimiter(new ManualTime(), "10/s");
        limiter.check("key", 5);
        Reservation reservation = limiter.reserve("key", 3);
        assertThat(limiter.peek("key").remaining()).isEqualTo(2);
        reservation.cancel();
        reservation.cancel();
        assertThat(limiter.peek("key").remaining()).isEqualTo(5);
    }

    @Test
    default void cancel_later_givesBackOnlyWhatHasNotRefilled() {
        ManualTime time = new ManualTime();
        RateLimiter limiter = newLimiter(time, "1/s burst 10");
        Reservation reservation = limiter.reserve("key", 5);
        time.advance(Duration.ofSeconds(2));
        limiter.check("key", 7);
        reservation.cancel();
        assertThat(limiter.peek("key").remaining())
                .as("as if never reserved: 10, of which 7 are used")
                .isEqualTo(3);
    }

    @Test
    default void cancel_afterAnotherCancel_givesBackOnlyWhatHasNotRefilled() {
        ManualTime time = ManualTime.forwardOnly(ManualTime.START_MICROS);
        RateLimiter limiter = newLimiter(time, "1/s burst 10");
        Reservation first = limiter.reserve("key", 5);
        Reservation second = limiter.reserve("key", 5);
        first.cancel();
        time.advance(Duration.ofSeconds(5));
        limiter.check("key", 5);
        second.cancel();
        assertThat(limiter.peek("key").remaining())
                .as("time has refilled all of the second")
                .isEqualTo(5);
    }

    @Test
    default void cancel_afterNewerUseWasRefunded_givesBackAll() {
        RateLimiter limiter = newLimiter(ManualTime.forwardOnly(ManualTime.START_MICROS), "1/s burst 10");
        Reservation reservation = limiter.reserve("key", 5);
        limiter.check("key", 5);
        limiter.refund("key", 5);
        limiter.check("key", 1);
        reservation.cancel();
        assertThat(limiter.peek("key").remaining()).isEqualTo(9);
    }

    @Test
    default void cancel_windowIsOver_givesNothingBack() {
        for (String limit : new String[] {"fixed-window 5/s", "fixed-window 5/s from-first", "sliding-log 5/s"}) {
            ManualTime time = new ManualTime();
            RateLimiter limiter = newLimiter(time, limit);
            Reservation reservation = limiter.reserve("key", 3);
            time.advance(Duration.ofSeconds(1));
            limiter.check("key", 4);
            reservation.cancel();
            assertThat(limiter.peek("key").remaining()).as(limit).isEqualTo(1);
        }
    }

    @Test
    default void cancel_useWasCarriedToACounter_givesBackOnlyItsOwnPart() {
        ManualTime time = new ManualTime();
        RateLimiter limiter = newLimiter(time, "1/d burst 10");
        limiter.check("key", 4);
        Reservation reservation = limiter.reserve("key", 5);
        limiter.update(Limit.parse("sliding-counter 10 per 2s slots 2"));
        // Half of the slot with the 9 permits has slid out of the window.
        time.advanceMicros(2_500_000 - ManualTime.START_MICROS % 1_000_000);
        assertThat(limiter.peek("key").remaining()).as("4.5 are used").isEqualTo(5);
        reservation.cancel();
        assertThat(limiter.peek("key").remaining())
                .as("half of 5, rounded down, were given back")
                .isEqualTo(6);
    }

    @Test
    default void cancel_keyWasReset_givesNothingBack() {
        RateLimiter limiter = newLimiter(new ManualTime(), "10/s");
        Reservation reservation = limiter.reserve("key", 5);
        limiter.reset("key");
        limiter.check("key", 5);
        reservation.cancel();
        assertThat(limiter.peek("key").remaining()).isEqualTo(5);
    }

    @Test
    default void reserve_windowIsFull_isNotGrantedAndNoDenial() {
        ManualTime time = new ManualTime();
        RateLimiter limiter = newLimiter(time, "sliding-log 5/s lockout 1h");
        limiter.check("key", 5);
        Reservation reservation = limiter.reserve("key", 1);
        assertThat(reservation.granted()).isFalse();
        assertThat(reservation.retryAfter()).isEqualTo(Duration.ofSeconds(1));
        time.advance(Duration.ofSeconds(1));
        assertThat(limiter.tryAcquire("key")).as("not locked out").isTrue();
    }

    @Test
    default void cancel_whenTheWindowWasGivenBackDuringALockout_leavesTheNextWindowAlone() {
        ManualTime time = new ManualTime();
        RateLimiter limiter = newLimiter(time, "fixed-window 10 per 1h from-first lockout 1m");
        Reservation reservation = limiter.reserve("key", 10);
        assertThat(limiter.check("key", 1).allowed()).as("locked from now on").isFalse();
        limiter.refund("key", 10);
        time.advance(Duration.ofSeconds(1));
        limiter.penalize("key", 10);
        reservation.cancel();
        time.advance(Duration.ofMinutes(1));
        assertThat(limiter.peek("key").remaining()).isZero();
    }
}
