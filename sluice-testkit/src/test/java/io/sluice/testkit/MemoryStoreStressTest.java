package io.sluice.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.Limit;
import io.sluice.RateLimiter;
import io.sluice.TimeSource;
import io.sluice.memory.MemoryStore;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Eight threads on one key while time goes on: what is admitted in all is exactly what the model allows. */
class MemoryStoreStressTest {
    private static final int THREADS = 8;
    private static final int CALLS = 40_000;

    /** A clock that is a microsecond later whenever it is read. */
    private static final class TickingTime implements TimeSource {
        private final AtomicLong now = new AtomicLong(ManualTime.START_MICROS);
        private final boolean monotonic;

        TickingTime(boolean monotonic) {
            this.monotonic = monotonic;
        }

        @Override
        public long micros() {
            return now.incrementAndGet();
        }

        @Override
        public boolean isMonotonic() {
            return monotonic;
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void hotBucket_eightThreads_admitsExactlyWhatRefills(boolean monotonic) throws InterruptedException {
        TickingTime time = new TickingTime(monotonic);
        RateLimiter limiter =
                MemoryStore.builder().time(time).build().limiter("limiter", Limit.parse("1/ms burst 100"));
        AtomicLong admitted = new AtomicLong();
        Thread[] threads = new Thread[THREADS];
        for (int i = 0; i < threads.length; i++) {
            boolean byHandle = i % 2 == 0;
            threads[i] = new Thread(() -> {
                var gate = limiter.forKey("key");
                long mine = 0;
                for (int n = 0; n < CALLS; n++) {
                    mine += (byHandle ? gate.tryAcquire() : limiter.check("key").allowed()) ? 1 : 0;
                }
                admitted.addAndGet(mine);
            });
        }
        for (Thread thread : threads) {
            thread.start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        while (limiter.tryAcquire("key")) {
            admitted.incrementAndGet();
        }
        // Never full since its first use, which was one of the first readings: 100 at the start, then one a
        // millisecond.
        long elapsed = time.now.get() - ManualTime.START_MICROS;
        assertThat(elapsed).isGreaterThan(THREADS * CALLS / 2);
        assertThat(admitted.get()).isBetween(100 + (elapsed - 5 * THREADS) / 1000, 100 + elapsed / 1000);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "5000/d",
                "leaky-bucket 5000/d",
                "5000/d refill interval",
                "fixed-window 5000/d",
                "fixed-window 5000/d from-first",
                "sliding-log 5000/d",
                "sliding-counter 5000/d"
            })
    void hotKey_takenAndGivenBackByEightThreads_endsWhereTheSumSays(String limit) throws InterruptedException {
        RateLimiter limiter = MemoryStore.builder()
                .time(ManualTime.forwardOnly(ManualTime.START_MICROS))
                .build()
                .limiter("limiter", Limit.parse(limit));
        AtomicLong used = new AtomicLong();
        Thread[] threads = new Thread[THREADS];
        for (int i = 0; i < threads.length; i++) {
            int permits = 1 + i % 3;
            threads[i] = new Thread(() -> {
                for (int n = 0; n < 3000; n++) {
                    if (n % 4 == 3) {
                        limiter.reserve("key", permits).cancel();
                    } else if (limiter.check("key", permits).allowed()) {
                        used.addAndGet(permits);
                    }
                    if (n % 16 == 7) {
                        limiter.penalize("key", 1);
                        used.incrementAndGet();
                    }
                }
            });
        }
        for (Thread thread : threads) {
            thread.start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        long over = used.get() - 5000;
        assertThat(over).isPositive();
        limiter.refund("key", over);
        assertThat(limiter.peek("key").allowed()).as("no debt is left").isTrue();
        assertThat(limiter.peek("key").remaining()).isZero();
        limiter.refund("key", 3);
        assertThat(limiter.peek("key").remaining()).isEqualTo(3);
    }
}
