package io.sluice.redis;

import static io.sluice.OnFailure.ALLOW;
import static io.sluice.OnFailure.DENY;
import static io.sluice.OnFailure.LOCAL;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.Decision;
import io.sluice.Limit;
import io.sluice.LimiterOptions;
import io.sluice.OnFailure;
import io.sluice.RateLimiter;
import io.sluice.Reservation;
import io.sluice.testkit.Eventually;
import io.sluice.testkit.redis.RedisProcess;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests answers of Redis that come after the caller was answered without Redis. */
class SlowRepliesIT {
    private static final Limit LIMIT = Limit.parse("token-bucket 1/d burst 10");

    private RedisProcess redis;
    private SlowReplies replies;
    private RedisStore store;

    @BeforeEach
    void start() {
        redis = RedisProcess.start();
        replies = new SlowReplies(redis.port());
        store = RedisStore.connect(replies.uri());
    }

    @AfterEach
    void stop() throws IOException {
        store.close();
        replies.close();
        redis.close();
    }

    private RateLimiter limiter(OnFailure how) {
        RateLimiter limiter = store.limiter(Load.name(how), LimiterOptions.onFailure(how), LIMIT);
        // Where the machine is busy, any call may take longer than the deadline: so this one charges nothing.
        Eventually.within(
                Duration.ofSeconds(30), "connected", () -> !limiter.peek("key").degraded());
        return limiter;
    }

    private static void awaitRemaining(RateLimiter limiter, long remaining) {
        Eventually.within(Duration.ofSeconds(2), () -> "remaining: " + limiter.peek("key"), () -> {
            Decision decision = limiter.peek("key");
            return !decision.degraded() && decision.remaining() == remaining;
        });
    }

    @Test
    void lateAnswer_afterADenial_permitsAreGivenBack() {
        RateLimiter limiter = limiter(DENY);
        replies.hold();
        Decision decision = limiter.check("key", 4);
        assertThat(decision.degraded()).isTrue();
        assertThat(decision.allowed()).isFalse();
        replies.release();
        awaitRemaining(limiter, 10);
    }

    @Test
    void lateAnswer_afterAcquireUpTo_chargesWhatTheCallerHasTaken() {
        for (OnFailure how : OnFailure.values()) {
            RateLimiter limiter = limiter(how);
            replies.hold();
            assertThat(limiter.acquireUpTo("key", 4)).as(how.name()).isEqualTo(how == DENY ? 0 : 4);
            replies.release();
            awaitRemaining(limiter, how == DENY ? 10 : 6);
        }
    }

    @Test
    void lateAnswer_afterAnAllowedCall_permitsStayCharged() {
        for (OnFailure how : new OnFailure[] {ALLOW, LOCAL}) {
            RateLimiter limiter = limiter(how);
            replies.hold();
            Decision decision = limiter.check("key", 4);
            assertThat(decision.degraded()).isTrue();
            assertThat(decision.allowed()).isTrue();
            replies.release();
            awaitRemaining(limiter, 6);
        }
    }

    @Test
    void lateAnswer_afterAReservationWithoutRedis_permitsAreGivenBack() {
        RateLimiter limiter = limiter(DENY);
        replies.hold();
        Reservation reservation = limiter.reserve("key", 4);
        assertThat(reservation.granted()).isFalse();
        replies.release();
        awaitRemaining(limiter, 10);
    }

    @Test
    void twoLateAnswers_openTheCircuitBreaker() {
        RateLimiter limiter = limiter(ALLOW);
        replies.hold();
        limiter.check("key", 1);
        limiter.check("key", 1);
        assertThat(store.isAvailable()).isFalse();
        long begin = System.nanoTime();
        for (int i = 0; i < 1_000; i++) {
            assertThat(limiter.check("key", 1).degraded()).isTrue();
        }
        // Redis is tried four times a second, by one call each time; all others are answered at once.
        assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofSeconds(5));
        replies.release();
        Eventually.within(
                Duration.ofSeconds(2),
                () -> "it is back",
                () -> !limiter.peek("key").degraded());
    }

    @Test
    void silentConnection_isReplaced() {
        RateLimiter limiter = limiter(DENY);
        replies.darken();
        assertThat(limiter.check("key", 1).degraded()).isTrue();
        Eventually.within(
                Duration.ofSeconds(10),
                "another connection",
                () -> !limiter.check("key", 1).degraded());
    }
}
