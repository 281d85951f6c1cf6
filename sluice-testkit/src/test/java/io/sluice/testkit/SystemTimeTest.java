package io.sluice.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.Gate;
import io.sluice.Limit;
import io.sluice.RateLimiter;
import io.sluice.TimeSource;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests of waiting in real time, with wide bounds. */
@Timeout(60)
class SystemTimeTest {
    @Test
    void systemTime_beginsAtTheWallClock() {
        long wall = Instant.now().toEpochMilli() * 1000;
        assertThat(TimeSource.system().micros()).isBetween(wall - 10_000_000, wall + 60_000_000);
        assertThat(TimeSource.system().wallMicros()).isBetween(wall - 10_000_000, wall + 60_000_000);
    }

    @Test
    void systemTime_readOverAndOver_neverGoesBack() {
        TimeSource time = TimeSource.system();
        long last = time.micros();
        for (int i = 0; i < 1_000_000; i++) {
            long now = time.micros();
            assertThat(now >= last).isTrue();
            last = now;
        }
    }

    @Test
    void acquire_inRealTime_takesAsLongAsTheRateSays() throws InterruptedException {
        for (String limit : new String[] {"50/s burst 1", "leaky-bucket 50/s", "sliding-log 1 per 20ms"}) {
            RateLimiter limiter = RateLimiter.of(Limit.parse(limit));
            long start = System.nanoTime();
            for (int i = 0; i < 11; i++) {
                limiter.acquire("key");
            }
            assertThat(Duration.ofNanos(System.nanoTime() - start))
                    .as(limit)
                    .isBetween(Duration.ofMillis(200), Duration.ofSeconds(20));
        }
    }

    @Test
    void tryAcquire_inRealTime_isAllowedExactlyWhenItsTimeHasCome() {
        TimeSource time = TimeSource.system();
        Gate gate = RateLimiter.of(Limit.parse("1/ms")).forKey("key");
        for (int i = 0; i < 300; i++) {
            long before = time.micros();
            if (gate.tryAcquire()) {
                long after = time.micros();
                while (time.micros() < before + 800) {
                    Thread.onSpinWait();
                }
                boolean early = gate.tryAcquire();
                boolean earlyIsLegal = time.micros() >= before + 1000;
                assertThat(!early || earlyIsLegal)
                        .as("no permit before its time")
                        .isTrue();
                while (!early && time.micros() < after + 1000) {
                    Thread.onSpinWait();
                }
                assertThat(early || gate.tryAcquire()).as("a millisecond later").isTrue();
            }
        }
    }

    @Test
    void tryAcquire_timeoutCannotBeMet_doesNotSleepItOut() throws InterruptedException {
        RateLimiter limiter = RateLimiter.of(Limit.parse("1/d"));
        limiter.acquire("key");
        long start = System.nanoTime();
        assertThat(limiter.tryAcquire("key", 1, Duration.ofHours(1))).isFalse();
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(20));
    }
}
