package io.sluice.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.Limit;
import io.sluice.RateLimiter;
import io.sluice.TimeSource;
import io.sluice.memory.MemoryStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The choice of evicted keys in a full memory store. Most limits have 100 permits. */
class MemoryStoreEvictionTest {
    private static final int MAX = 1000;
    private static final int FLOOD = 10 * MAX;

    /** One more than a tenth of 100. */
    private static final int HEAVY = 11;

    private final ManualTime time = ManualTime.forwardOnly(ManualTime.START_MICROS);

    private static MemoryStore store(long maxKeys, TimeSource time) {
        return MemoryStore.builder().time(time).maxKeys(maxKeys).build();
    }

    private static void each(int n, IntConsumer task) {
        for (int i = 0; i < n; i++) {
            task.accept(i);
        }
    }

    /** The number of keys prefix0, prefix1 ... that have used at least that much. */
    private static long kept(RateLimiter limiter, String prefix, int n, long used) {
        long kept = 0;
        for (int i = 0; i < n; i++) {
            kept += limiter.peek(prefix + i).remaining() <= 100 - used ? 1 : 0;
        }
        return kept;
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "100 per 1d",
                "100 per 1d refill interval",
                "leaky-bucket 100 per 1d",
                "fixed-window 100 per 1d",
                "fixed-window 100 per 1d from-first",
                "sliding-log 100 per 1d",
                "sliding-counter 100 per 1d",
                "100 per 1d lockout 1h",
                "sliding-log 100 per 1d lockout 1h",
                "fixed-window 100 per 1d lockout 1h"
            })
    void floodOfTenTimesTheCap_asManyHeavyKeysAsTheStoreHolds_keepsAllOfThem(String limit) {
        for (ManualTime clock : List.of(time, new ManualTime())) {
            MemoryStore store = store(MAX, clock);
            RateLimiter limiter = store.limiter("limiter", Limit.parse(limit));
            each(MAX / 2, i -> limiter.check("early" + i, HEAVY));
            each(FLOOD / 2, i -> {
                limiter.check("flood" + i, 1);
                clock.advanceMicros(1);
            });
            each(MAX / 2, i -> limiter.check("late" + i, HEAVY));
            each(FLOOD / 2, i -> {
                limiter.check("more" + i, 1 + i % 10);
                clock.advanceMicros(1);
            });
            assertThat(kept(limiter, "early", MAX / 2, HEAVY)).isEqualTo(MAX / 2);
            assertThat(kept(limiter, "late", MAX / 2, HEAVY)).isEqualTo(MAX / 2);
            assertThat(store.size()).isEqualTo(MAX);
            assertThat(store.evictions()).isEqualTo(FLOOD);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "100 per 1d lockout 1h",
                "100 per 1d refill interval",
                "leaky-bucket 100 per 1d",
                "fixed-window 100 per 1d",
                "fixed-window 100 per 1d from-first",
                "sliding-log 100 per 1d lockout 1h",
                "sliding-counter 100 per 1d"
            })
    void floodOfHeavyKeys_whatIsUsedUpLockedOrPaused_goesLast(String limit) {
        MemoryStore store = store(MAX, time);
        RateLimiter limiter = store.limiter("limiter", Limit.parse(limit));
        each(300, i -> limiter.check("used up" + i, 100));
        each(300, i -> {
            limiter.check("denied" + i, 99);
            limiter.check("denied" + i, 2);
        });
        each(300, i -> limiter.pause("paused" + i, Duration.ofHours(1)));
        each(FLOOD, i -> {
            limiter.check("flood" + i, 50);
            time.advanceMicros(1);
        });
        assertThat(kept(limiter, "used up", 300, 100)).isEqualTo(300);
        assertThat(kept(limiter, "denied", 300, 99)).isEqualTo(300);
        each(300, i -> assertThat(limiter.check("paused" + i, 1).allowed()).isFalse());
        assertThat(store.size()).isEqualTo(MAX);
    }

    @Test
    void hundredPerDay_usedUp_staysSoAfterAHundredThousandKeys() {
        RateLimiter limiter = store(10_000, time).limiter("limiter", Limit.parse("fixed-window 100 per 1d"));
        limiter.check("X", 100);
        each(110_000, i -> limiter.check("flood" + i, 1));
        assertThat(limiter.tryAcquire("X")).isFalse();
    }

    @Test
    void lockedAccount_aFloodOfAccountsThatTryOnce_staysLocked() {
        MemoryStore store = store(10_000, time);
        RateLimiter limiter = store.limiter("login", Limit.parse("5 per 1m lockout 5m"));
        each(6, i -> limiter.tryAcquire("account"));
        each(110_000, i -> {
            limiter.tryAcquire("flood" + i);
            time.advanceMicros(100);
            assertThat(i % 100 == 0 && limiter.tryAcquire("account")).isFalse();
        });
        assertThat(store.size()).isLessThanOrEqualTo(10_000 + 10_000 / 64);
    }

    @Test
    void largeStore_asManyHeavyKeysAsItHolds_keepsAllOfThem() {
        int max = 20_000;
        MemoryStore store = store(max, time);
        RateLimiter limiter = store.limiter("limiter", Limit.parse("sliding-log 100 per 1d"));
        each(max, i -> limiter.check("heavy" + i, HEAVY));
        each(10 * max, i -> limiter.check("flood" + i, 1));
        assertThat(kept(limiter, "heavy", max, HEAVY)).isEqualTo(max);
        assertThat(store.size()).isLessThanOrEqualTo(max + max / 64);
    }

    @Test
    void largeStore_aFloodOfHeavyKeys_isHeldToTheCap() {
        int max = 20_000;
        MemoryStore store = store(max, time);
        RateLimiter limiter = store.limiter("limiter", Limit.parse("100 per 1d"));
        each(max / 2, i -> limiter.check("used up" + i, 100));
        each(5 * max, i -> {
            limiter.check("flood" + i, 50);
            assertThat(store.size()).isLessThanOrEqualTo(max + max / 64);
        });
        assertThat(kept(limiter, "used up", max / 2, 100)).isEqualTo(max / 2);
        assertThat(store.size()).isEqualTo(max);
    }

    @Test
    void heavyKeys_thatHaveBecomeLightByThemselves_goBeforeNewHeavyOnes() {
        MemoryStore store = store(MAX, time);
        RateLimiter limiter = store.limiter("limiter", Limit.parse("100 per 1h"));
        each(MAX / 2, i -> limiter.check("heavy" + i, 100));
        each(MAX / 2, i -> limiter.check("soon light" + i, 12));
        limiter.check("one too many", 20);
        time.advance(Duration.ofMinutes(2));
        each(MAX / 2 - 1, i -> limiter.check("new" + i, HEAVY));
        assertThat(kept(limiter, "heavy", MAX / 2, HEAVY)).isEqualTo(MAX / 2);
        assertThat(kept(limiter, "new", MAX / 2 - 1, HEAVY)).isEqualTo(MAX / 2 - 1);
        assertThat(store.size()).isEqualTo(MAX);
    }

    @Test
    void heavyKeys_thatAreGivenBackOrUnderALargerLimit_areLight() {
        MemoryStore store = store(MAX, time);
        RateLimiter limiter = store.limiter("limiter", Limit.parse("fixed-window 100 per 1d"));
        RateLimiter other = store.limiter("other", Limit.parse("fixed-window 100 per 1d"));
        each(200, i -> limiter.check("heavy" + i, 90));
        each(400, i -> limiter.check("given back" + i, 20));
        each(400, i -> other.check("updated" + i, 20));
        other.check("one too many", 30);
        each(400, i -> limiter.refund("given back" + i, 15));
        each(399, i -> limiter.check("new" + i, 20));
        other.update(Limit.parse("fixed-window 1000 per 1d"));
        each(400, i -> limiter.check("newer" + i, 20));
        assertThat(kept(limiter, "heavy", 200, 90)).isEqualTo(200);
        assertThat(kept(limiter, "new", 399, 20)).isEqualTo(399);
        assertThat(kept(limiter, "newer", 400, 20)).isEqualTo(400);
    }

    @Test
    void keysThatHaveUsedAsMuch_theOldest_goesFirst() {
        MemoryStore store = store(MAX, time);
        RateLimiter limiter = store.limiter("limiter", Limit.parse("fixed-window 100 per 1d"));
        each(2 * MAX, i -> {
            limiter.check("key" + i, 1);
            time.advanceMicros(1);
            limiter.check("used again", 0);
        });
        each(
                2 * MAX,
                i -> assertThat(limiter.peek("key" + i).remaining())
                        .as("key " + i)
                        .isEqualTo(i < MAX ? 100 : 99));
    }

    @Test
    void flood_ofOneLimiter_leavesTheKeysOfAnotherAlone() {
        MemoryStore store = store(MAX, time);
        RateLimiter flooded = store.limiter("flooded", Limit.parse("fixed-window 100 per 1d"));
        RateLimiter other = store.limiter("other", Limit.parse("fixed-window 100 per 1d"));
        RateLimiter third = store.limiter("third", Limit.parse("sliding-log 100 per 1d"));
        each(MAX / 3, i -> other.check("key" + i, 1));
        each(MAX / 3, i -> third.check("key" + i, 1));
        each(FLOOD, i -> {
            flooded.check("flood" + i, 2 + i % 9);
            time.advanceMicros(1);
        });
        assertThat(kept(other, "key", MAX / 3, 1)).isEqualTo(MAX / 3);
        assertThat(kept(third, "key", MAX / 3, 1)).isEqualTo(MAX / 3);
        assertThat(store.evictions("flooded")).isEqualTo(store.evictions()).isPositive();
        assertThat(store.evictions("other") + store.evictions("third")).isZero();
        assertThat(store.evictions("unknown")).isZero();
    }

    @Test
    void floodOfKeysThatAreUsedUpAtOnce_anotherLimitersHeavyKeys_areLeftAlone() {
        MemoryStore store = store(MAX, time);
        RateLimiter flooded = store.limiter("flooded", Limit.parse("fixed-window 1 per 1d"));
        RateLimiter other = store.limiter("other", Limit.parse("fixed-window 100 per 1d"));
        each(MAX / 3, i -> other.check("key" + i, HEAVY));
        each(FLOOD, i -> {
            flooded.check("flood" + i, 1);
            time.advanceMicros(1);
        });
        assertThat(kept(other, "key", MAX / 3, HEAVY)).isEqualTo(MAX / 3);
        each(MAX / 6, i -> other.check("new" + i, HEAVY));
        assertThat(kept(other, "new", MAX / 6, HEAVY))
                .as("room for a limiter with less than its fair share")
                .isEqualTo(MAX / 6);
    }

    @Test
    void callLimiter_aFloodOfKeysOfOneCall_evictsNoHeavyOne() {
        MemoryStore store = store(MAX, time);
        var calls = store.callLimiter("calls");
        Limit limit = Limit.parse("100 per 1d");
        each(MAX, i -> calls.check("heavy" + i, HEAVY, limit));
        each(FLOOD, i -> calls.check("flood" + i, 1, limit));
        each(MAX, i -> assertThat(calls.peek("heavy" + i, 0, limit).remaining()).isEqualTo(100 - HEAVY));
        assertThat(store.evictions("calls")).isEqualTo(FLOOD);
    }

    @Test
    void manyThreads_floodAtOnce_evictNoHeavyKey() throws InterruptedException {
        MemoryStore store = store(MAX, TimeSource.system());
        RateLimiter limiter =
                store.limiter("limiter", Limit.parse("100 per 1d"), Limit.parse("fixed-window 100 per 30d"));
        each(MAX / 2, i -> limiter.check("heavy" + i, 50));
        List<Thread> threads = new ArrayList<>();
        each(4, t -> threads.add(new Thread(() -> each(FLOOD, i -> limiter.check(t + "flood" + i, 1)))));
        threads.forEach(Thread::start);
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(kept(limiter, "heavy", MAX / 2, 50)).isEqualTo(MAX / 2);
        limiter.check("last", 1);
        assertThat(store.size()).isLessThanOrEqualTo(MAX + 4);
        assertThat(store.evictions("limiter")).isEqualTo(store.evictions());
    }

    @Test
    void storeThatHasRoomAgain_andIsFloodedOnceMore_keepsTheHeavyKeysOfThatTime() {
        MemoryStore store = store(MAX, time);
        RateLimiter limiter = store.limiter("limiter", Limit.parse("fixed-window 100 per 1h"));
        each(FLOOD, i -> limiter.check("flood" + i, 20));
        time.advance(Duration.ofHours(2));
        assertThat(store.size()).isZero();
        each(MAX, i -> limiter.check("heavy" + i, HEAVY));
        each(FLOOD, i -> limiter.check("flood" + i, 1));
        assertThat(kept(limiter, "heavy", MAX, HEAVY)).isEqualTo(MAX);
    }

    @Test
    void maxBytes_longSlidingLogs_countAsSeveralKeys() {
        MemoryStore store = MemoryStore.builder().time(time).maxBytes(720_000).build();
        assertThat(store.maxKeys()).isEqualTo(1000);
        RateLimiter limiter = store.limiter("limiter", Limit.parse("sliding-log 1000 per 1d"));
        each(200, i -> limiter.check("short" + i, 500));
        each(500, i -> {
            each(200, n -> {
                limiter.check("long" + i, 1);
                time.advanceMicros(1);
            });
            // 256 entries are 4096 bytes, eight keys more; some are evicted on their way there, and weigh less.
            assertThat(store.size()).isLessThanOrEqualTo(200 + 800 / 9 + 20);
        });
        each(200, i -> assertThat(limiter.peek("short" + i).remaining()).isEqualTo(500));
        each(500, i -> limiter.reset("long" + i));
        each(1000, i -> limiter.check("new" + i, 500));
        assertThat(store.size()).as("what is gone weighs nothing").isEqualTo(1000);
    }

    @Test
    void maxBytes_tooFewForOneKey_areRefused() {
        assertThatThrownBy(() -> MemoryStore.builder().maxBytes(719))
                .hasMessage("maxBytes: 719 (expected: at least 720, for one key)");
    }
}
