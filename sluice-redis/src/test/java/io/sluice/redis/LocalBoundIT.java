package io.sluice.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.Decision;
import io.sluice.Limit;
import io.sluice.OnFailure;
import io.sluice.RateLimiter;
import io.sluice.StoreListener;
import io.sluice.testkit.Eventually;
import io.sluice.testkit.redis.RedisProcess;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Tests that all processes together admit at most the limit plus the shares of all but one, while Redis stops and comes back
 * under load.
 */
class LocalBoundIT {
    private static final Duration LONG = Duration.ofSeconds(30);
    private static final int KEYS = 20;

    private final Queue<Throwable> thrown = new ConcurrentLinkedQueue<>();
    private final List<Thread> threads = new ArrayList<>();

    /** Charges with an unknown outcome, because the connection broke; each is at most a share. */
    private final AtomicLong lostCharges = new AtomicLong();

    /** Calls that were sent and then answered without Redis. Redis may charge them as well. */
    private final AtomicLong unanswered = new AtomicLong();

    private volatile boolean stopping;

    @ParameterizedTest
    @CsvSource({
        "token-bucket 1/d burst 18, 1",
        "token-bucket 1/d burst 18, 3",
        "leaky-bucket 1/d capacity 18, 3",
        "fixed-window 18 per 1d from-first, 3",
        "sliding-log 18 per 1d, 1",
        "sliding-log 18 per 1d, 3"
    })
    void outages_withoutRefill_admittedIsWithinTheBound(String limit, int processes) {
        AtomicLong[] admitted = new AtomicLong[KEYS];
        for (int key = 0; key < KEYS; key++) {
            admitted[key] = new AtomicLong();
        }
        try (RedisProcess redis = RedisProcess.start()) {
            List<RedisStore> stores = stores(redis, processes);
            try {
                // Every process asks for all keys, from another one on, so that Redis goes while some are much used and
                // others are not; then it goes once more.
                for (int i = 0; i < processes; i++) {
                    RateLimiter limiter = stores.get(i).limiter("shared", Limit.parse(limit));
                    int from = i * KEYS / processes;
                    AtomicInteger round = new AtomicInteger();
                    loop(() -> {
                        int key = (from + round.getAndIncrement() / 3) % KEYS;
                        if (limiter.check("key-" + key, 1).allowed()) {
                            admitted[key].incrementAndGet();
                        }
                        LockSupport.parkNanos(1_000_000);
                    });
                }
                for (int outage = 0; outage < 3; outage++) {
                    LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
                    redis.pause();
                    LockSupport.parkNanos(Duration.ofMillis(400).toNanos());
                    redis.resume();
                    Eventually.within(LONG, "back", () -> stores.stream().allMatch(RedisStore::isAvailable));
                }
                LockSupport.parkNanos(Duration.ofMillis(500).toNanos());
                stop();
                RateLimiter limiter = stores.get(0).limiter("shared", Limit.parse(limit));
                assertCharged(limiter, admitted, 18L / processes);
            } finally {
                stores.forEach(RedisStore::close);
            }
        }
        long bound = 18 + (processes - 1 + lostCharges.get()) * (18L / processes);
        for (int key = 0; key < KEYS; key++) {
            assertThat(admitted[key].get()).as("key %s", key).isBetween(1L, bound);
        }
    }

    /** Redis was charged with all allowed requests, and at most with late calls in addition. */
    private void assertCharged(RateLimiter limiter, AtomicLong[] admitted, long share) {
        List<Long> expected =
                Arrays.stream(admitted).map(count -> Math.min(18, count.get())).toList();
        Eventually.within(LONG, () -> "charged " + charged(limiter) + ", admitted " + expected, () -> {
            List<Long> charged = charged(limiter);
            long missing = 0;
            long besides = 0;
            for (int key = 0; key < charged.size(); key++) {
                missing += Math.max(0, expected.get(key) - charged.get(key));
                besides += Math.max(0, charged.get(key) - expected.get(key));
            }
            return charged.size() == KEYS && missing <= lostCharges.get() * share && besides <= unanswered.get();
        });
    }

    /** Of each key, as far as Redis tells. */
    private static List<Long> charged(RateLimiter limiter) {
        return IntStream.range(0, KEYS)
                .mapToObj(key -> limiter.peek("key-" + key))
                .filter(decision -> !decision.degraded())
                .map(decision -> 18 - decision.remaining())
                .toList();
    }

    @ParameterizedTest
    @CsvSource({"sliding-log 18 per 2s, 1", "sliding-log 18 per 2s, 3", "leaky-bucket 18 per 2s capacity 18, 1"})
    void outages_inAnyWindow_admittedIsWithinTheBound(String limit, int processes) {
        Queue<Long> admitted = new ConcurrentLinkedQueue<>();
        AtomicLong longest = new AtomicLong();
        try (RedisProcess redis = RedisProcess.start()) {
            List<RedisStore> stores = stores(redis, processes);
            try {
                for (RedisStore store : stores) {
                    RateLimiter limiter = store.limiter("shared", Limit.parse(limit));
                    loop(() -> {
                        long begin = System.nanoTime();
                        Decision decision = limiter.check("key", 1);
                        long now = System.nanoTime();
                        longest.accumulateAndGet(now - begin, Math::max);
                        if (decision.allowed()) {
                            admitted.add(now);
                        }
                        LockSupport.parkNanos(2_000_000);
                    });
                }
                for (int outage = 0; outage < 2; outage++) {
                    LockSupport.parkNanos(Duration.ofMillis(1300).toNanos());
                    redis.pause();
                    LockSupport.parkNanos(Duration.ofMillis(800).toNanos());
                    redis.resume();
                    Eventually.within(LONG, "back", () -> stores.stream().allMatch(RedisStore::isAvailable));
                }
                LockSupport.parkNanos(Duration.ofMillis(2500).toNanos());
                stop();
            } finally {
                stores.forEach(RedisStore::close);
            }
        }
        // A caller with an answer in the shorter window was decided in the window.
        long window = Duration.ofSeconds(2).toNanos() - longest.get();
        long whole = limit.startsWith("leaky") ? 2 * 18 : 18;
        assertThat(most(admitted, window))
                .isBetween(18L / processes, whole + (processes - 1 + lostCharges.get()) * (whole / processes));
    }

    private static long most(Queue<Long> times, long nanos) {
        long[] sorted = times.stream().mapToLong(Long::longValue).sorted().toArray();
        long most = 0;
        int from = 0;
        for (int to = 0; to < sorted.length; to++) {
            while (from < to && sorted[to] - sorted[from] > nanos) {
                from++;
            }
            most = Math.max(most, to - from + 1);
        }
        return most;
    }

    private List<RedisStore> stores(RedisProcess redis, int processes) {
        List<RedisStore> stores = new ArrayList<>();
        for (int i = 0; i < processes; i++) {
            stores.add(RedisStore.builder()
                    .uri(redis.uri())
                    .onFailure(OnFailure.LOCAL)
                    .listener(new StoreListener() {
                        @Override
                        public void lost(String limiter, String verb) {
                            if (verb.equals("penalize")) {
                                lostCharges.incrementAndGet();
                            }
                        }

                        @Override
                        public void failed(int requests, Throwable cause) {
                            unanswered.addAndGet(requests);
                        }
                    })
                    .build());
        }
        Eventually.within(
                LONG,
                "all know of each other",
                () -> stores.stream().allMatch(store -> store.processes() == processes && store.isAvailable()));
        return stores;
    }

    private void loop(Runnable once) {
        Thread thread = new Thread(() -> {
            while (!stopping) {
                try {
                    once.run();
                } catch (RuntimeException | Error e) {
                    thrown.add(e);
                }
            }
        });
        thread.setDaemon(true);
        threads.add(thread);
        thread.start();
    }

    private void stop() {
        stopping = true;
        Eventually.within(LONG, "all have returned", () -> threads.stream().noneMatch(Thread::isAlive));
        assertThat(thrown).isEmpty();
    }
}
