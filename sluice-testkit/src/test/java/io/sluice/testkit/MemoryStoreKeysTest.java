package io.sluice.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.Limit;
import io.sluice.RateLimiter;
import io.sluice.Reservation;
import io.sluice.TimeSource;
import io.sluice.memory.MemoryStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The number of keys in a memory store, and their lifetime. */
class MemoryStoreKeysTest {
    private static final int KEYS = 20_000;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "10/s",
                "10/s refill interval",
                "leaky-bucket 10/s",
                "fixed-window 10/s",
                "sliding-log 10/s",
                "sliding-counter 10/s",
                "1/s lockout 10s"
            })
    void mistake4_keysThatAreFreshAgain_costNothing(String limit) {
        ManualTime time = ManualTime.forwardOnly(ManualTime.START_MICROS);
        MemoryStore store = MemoryStore.builder().time(time).build();
        RateLimiter limiter = store.limiter("limiter", Limit.parse(limit));
        for (int i = 0; i < KEYS; i++) {
            limiter.check("key" + i, 1 + i % 2);
        }
        assertThat(store.size()).isEqualTo(KEYS);
        time.advance(Duration.ofMinutes(5));
        assertThat(store.size()).isZero();
        assertThat(store.evictions()).isZero();
        assertThat(time.scheduled()).as("an empty store does nothing").isZero();
    }

    @Test
    void keysInUse_aStoreThatSweeps_areKept() {
        ManualTime time = ManualTime.forwardOnly(ManualTime.START_MICROS);
        MemoryStore store = MemoryStore.builder().time(time).build();
        RateLimiter limiter = store.limiter("limiter", Limit.parse("1 per 1h burst 2"));
        for (int i = 0; i < KEYS; i++) {
            limiter.check("key" + i, 2);
        }
        time.advance(Duration.ofMinutes(119));
        assertThat(store.size()).isEqualTo(KEYS);
        for (int i = 0; i < KEYS; i++) {
            assertThat(limiter.check("key" + i, 2).allowed()).isFalse();
        }
        time.advance(Duration.ofMinutes(3));
        assertThat(store.size()).isZero();
    }

    @Test
    void deniedAndPeekedKeys_neverSeenBefore_areNotKept() {
        MemoryStore store = MemoryStore.builder().time(new ManualTime()).build();
        RateLimiter limiter = store.limiter("limiter", Limit.parse("10/s"));
        limiter.check("a", 11);
        limiter.check("b", 0);
        limiter.peek("c", 5);
        limiter.refund("d", 5);
        limiter.check("e", 5);
        limiter.refund("e", 5);
        limiter.check("f", 5);
        limiter.reset("f");
        assertThat(store.size()).isZero();
    }

    @Test
    void fullStore_keysNearToFresh_goFirst() {
        ManualTime time = ManualTime.forwardOnly(ManualTime.START_MICROS);
        MemoryStore store = MemoryStore.builder().time(time).maxKeys(1000).build();
        RateLimiter limiter = store.limiter("limiter", Limit.parse("1/s burst 1000"));
        for (int i = 0; i < 500; i++) {
            limiter.check("busy" + i, 1000);
        }
        for (int i = 0; i < 10_000; i++) {
            limiter.check("idle" + i, 1);
        }
        assertThat(store.size()).isEqualTo(1000);
        assertThat(store.evictions()).isEqualTo(9500);
        long kept = 0;
        for (int i = 0; i < 500; i++) {
            kept += limiter.peek("busy" + i).remaining() == 0 ? 1 : 0;
        }
        assertThat(kept).as("busy keys that are still known").isGreaterThan(490);
    }

    @Test
    void fullStore_ofFreshKeys_evictsNothingThatCounts() {
        ManualTime time = ManualTime.forwardOnly(ManualTime.START_MICROS);
        MemoryStore store = MemoryStore.builder().time(time).maxKeys(100).build();
        RateLimiter limiter = store.limiter("limiter", Limit.parse("1000/s"));
        for (int i = 0; i < 10_000; i++) {
            limiter.check("key" + i, 1);
            time.advanceMicros(101);
        }
        assertThat(store.evictions()).isZero();
        assertThat(store.size()).isLessThanOrEqualTo(100);
    }

    @Test
    void sweptKey_timeStepsBackAfterwards_isNotRefilledTwice() {
        ManualTime time = new ManualTime();
        MemoryStore store = MemoryStore.builder().time(time).build();
        RateLimiter limiter = store.limiter("limiter", Limit.parse("10/s"));
        limiter.check("key", 10);
        long start = time.micros();
        time.advance(Duration.ofSeconds(2));
        assertThat(store.size()).isZero();
        time.set(start);
        assertThat(limiter.check("key", 10).allowed()).isTrue();
        time.set(start + 1_000_000);
        assertThat(limiter.peek("key").remaining())
                .as("that second has refilled already")
                .isZero();
    }

    @Test
    void keysThatComeAndGo_underContention_areCountedRight() throws InterruptedException {
        MemoryStore store = MemoryStore.builder().time(new ManualTime()).build();
        RateLimiter limiter = store.limiter("limiter", Limit.parse("sliding-log 10/s"));
        Thread[] threads = new Thread[4];
        for (int i = 0; i < threads.length; i++) {
            threads[i] = new Thread(() -> {
                for (int n = 0; n < 20_000; n++) {
                    limiter.check("key", n % 3);
                    limiter.reset("key");
                }
            });
            threads[i].start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(store.size()).isZero();
    }

    @Test
    void fullStore_clockThatTicksWithEveryReading_stillFindsRoom() {
        long[] now = {ManualTime.START_MICROS};
        MemoryStore store =
                MemoryStore.builder().time(() -> now[0]++).maxKeys(10).build();
        RateLimiter limiter = store.limiter("limiter", Limit.parse("1000000/s"));
        for (int i = 0; i < 1000; i++) {
            limiter.check("key" + i, 1);
        }
        assertThat(store.size()).isLessThanOrEqualTo(10);
    }

    @Test
    void update_toFewerLimits_forgetsTheKeysOfTheOthersOnce() {
        ManualTime time = ManualTime.forwardOnly(ManualTime.START_MICROS);
        MemoryStore store = MemoryStore.builder().time(time).build();
        RateLimiter limiter = store.limiter("limiter", Limit.parse("10/s"), Limit.parse("fixed-window 10/d"));
        List<Reservation> reservations = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            reservations.add(limiter.reserve("key" + i, 1));
        }
        assertThat(store.size()).isEqualTo(200);
        limiter.update(Limit.parse("10/s"));
        reservations.forEach(Reservation::cancel);
        assertThat(store.size()).isZero();
        limiter.check("key", 1);
        time.advance(Duration.ofMinutes(2));
        assertThat(store.size()).isZero();
    }

    @Test
    void update_toAFasterLimit_letsKeysBeSweptByThatOne() {
        ManualTime time = ManualTime.forwardOnly(ManualTime.START_MICROS);
        MemoryStore store = MemoryStore.builder().time(time).build();
        RateLimiter limiter = store.limiter("limiter", Limit.parse("1 per 365d"));
        for (int i = 0; i < 100; i++) {
            limiter.check("key" + i, 1);
        }
        limiter.update(Limit.parse("1/s"));
        time.advance(Duration.ofMinutes(5));
        assertThat(store.size()).isZero();
    }

    @Test
    void wallClockSetBackByAnHour_newKeysOfAlignedWindows_areNotHeldUp() {
        ManualTime time = new ManualTime();
        MemoryStore store = MemoryStore.builder().time(time).build();
        RateLimiter limiter = store.limiter("limiter", Limit.parse("fixed-window 1/s"));
        time.advance(Duration.ofHours(1));
        limiter.check("swept", 1);
        time.advance(Duration.ofSeconds(2));
        assertThat(store.size()).isZero();
        time.set(time.micros() - 3_600_000_000L);
        assertThat(limiter.tryAcquire("new")).isTrue();
        time.advance(Duration.ofSeconds(1));
        assertThat(limiter.tryAcquire("new")).isTrue();
    }

    @Test
    void update_whileADecisionReadsTheClock_chargesNothingTwice() {
        ManualTime time = ManualTime.forwardOnly(ManualTime.START_MICROS);
        AtomicReference<Runnable> pause = new AtomicReference<>(() -> {});
        MemoryStore store = MemoryStore.builder()
                .time(new TimeSource() {
                    @Override
                    public long micros() {
                        pause.getAndSet(() -> {}).run();
                        return time.micros();
                    }

                    @Override
                    public boolean isMonotonic() {
                        return true;
                    }
                })
                .build();
        RateLimiter limiter = store.limiter("limiter", Limit.parse("1000/s"));
        assertThat(limiter.tryAcquire("key")).isTrue();
        pause.set(() -> {
            limiter.update(Limit.parse("1000 per 1d"));
            time.advance(Duration.ofSeconds(1));
        });
        assertThat(limiter.tryAcquire("key")).isTrue();
        assertThat(limiter.peek("key").remaining()).isEqualTo(998);
    }

    @Test
    void keys_equalByContent_areOneKey() {
        RateLimiter limiter = RateLimiter.of(Limit.parse("1/d"));
        assertThat(limiter.tryAcquire(new String("key".toCharArray()))).isTrue();
        assertThat(limiter.tryAcquire(new String("key".toCharArray()))).isFalse();
        assertThat(limiter.tryAcquire("")).isTrue();
    }

    @Test
    void maxKeys_none_isRefused() {
        assertThatThrownBy(() -> MemoryStore.builder().maxKeys(0)).hasMessage("maxKeys: 0 (expected: at least 1)");
    }
}
