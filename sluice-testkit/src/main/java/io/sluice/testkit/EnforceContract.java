package io.sluice.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.Charge;
import io.sluice.Decision;
import io.sluice.Limit;
import io.sluice.LimiterOptions;
import io.sluice.OnFailure;
import io.sluice.RateLimiter;
import io.sluice.spi.LimiterSpec;
import io.sluice.spi.PolicyStore;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

interface EnforceContract extends StoreUnderTest {
    private static LimiterSpec spec(String name, String limit, long revision) {
        LimiterOptions options = LimiterOptions.onFailure(OnFailure.ALLOW).revision(revision);
        return new LimiterSpec(name, options, Limit.parse(limit));
    }

    private static List<LimiterSpec> specs(int limiters, String limit) {
        return IntStream.range(0, limiters)
                .mapToObj(i -> spec("limiter" + i, limit, 0))
                .toList();
    }

    private static List<String> limits(List<RateLimiter> limiters) {
        return limiters.stream()
                .map(limiter -> limiter.limits().get(0).toString())
                .toList();
    }

    @Test
    default void enforce_lowerRevision_replacesOnlyEvenLowerRevisions() {
        PolicyStore store = newStore(new ManualTime());
        store.enforce(List.of(spec("one", "10/h", 5), spec("two", "10/h", 3)));

        List<RateLimiter> limiters = store.enforce(List.of(spec("one", "20/h", 4), spec("two", "20/h", 4)));

        assertThat(limits(limiters)).containsExactly("token-bucket 10/h", "token-bucket 20/h");
        assertThat(limiters.get(0).peek("").remaining()).isEqualTo(10);
        assertThat(limits(store.enforce(List.of(spec("one", "30/h", 5))))).containsExactly("token-bucket 30/h");
    }

    @Test
    default void enforce_sameLimit_raisesTheRevision() {
        PolicyStore store = newStore(new ManualTime());
        store.enforce(List.of(spec("one", "10/h", 1)));
        store.enforce(List.of(spec("one", "10/h", 7)));

        assertThat(limits(store.enforce(List.of(spec("one", "20/h", 6))))).containsExactly("token-bucket 10/h");
    }

    @Test
    default void limiters_createdBeforeEnforce_changeNothingUntilThen() {
        PolicyStore store = newStore(new ManualTime());
        RateLimiter known = store.enforce(List.of(spec("one", "10/h", 0))).get(0);
        List<LimiterSpec> next = List.of(spec("one", "20/h", 0), spec("two", "30/h", 0));

        List<RateLimiter> limiters = store.limiters(next);

        assertThat(limiters.get(0)).isSameAs(known);
        assertThat(known.peek("").remaining()).isEqualTo(10);
        assertThat(store.enforce(next)).containsExactlyElementsOf(limiters);
        assertThat(known.peek("").remaining()).isEqualTo(20);
        assertThat(limiters.get(1).check("", 1).remaining()).isEqualTo(29);
    }

    @Test
    default void release_limiter_keepsItsState() {
        PolicyStore store = newStore(new ManualTime());
        List<LimiterSpec> specs = List.of(spec("one", "10/h", 1), spec("two", "10/h", 1));
        List<RateLimiter> limiters = store.limiters(specs);
        store.enforce(specs);
        limiters.get(0).check("a", 3);

        store.release(limiters);
        List<LimiterSpec> again = List.of(spec("one", "20/h", 2));
        store.limiters(again);
        RateLimiter back = store.enforce(again).get(0);

        assertThat(back.peek("a").remaining()).isEqualTo(17);
        assertThat(back.peek("a").degraded()).isFalse();
        assertThat(limiters.get(1).check("a", 1).remaining())
                .as("who still has it may use it")
                .isEqualTo(9);
    }

    /** Runs with few limiters, whose buckets are found at once, and with many, whose buckets are not. */
    @Test
    default void enforce_whileOthersDecide_isAtomic() {
        for (int limiters : new int[] {3, 40}) {
            PolicyStore store = newStore(new ManualTime());
            List<LimiterSpec> one = specs(limiters, "1000/d");
            List<LimiterSpec> other = specs(limiters, "fixed-window 2000 per 1d from-first");
            List<RateLimiter> all = store.enforce(one);
            List<Charge> looks =
                    all.stream().map(limiter -> limiter.charge("key", 0)).toList();
            store.decide(all.stream().map(limiter -> limiter.charge("key", 1)).toList());
            AtomicBoolean done = new AtomicBoolean();
            AtomicLong decided = new AtomicLong();
            Set<Object> seen = ConcurrentHashMap.newKeySet();
            ExecutorService threads = Executors.newFixedThreadPool(2);
            try {
                List<CompletableFuture<Void>> deciding = Stream.generate(() -> CompletableFuture.runAsync(
                                () -> {
                                    while (!done.get()) {
                                        seen.add(store.decide(looks).each().stream()
                                                .map(Decision::remaining)
                                                .distinct()
                                                .toList());
                                        decided.incrementAndGet();
                                    }
                                },
                                threads))
                        .limit(2)
                        .toList();
                for (int i = 0; i < 150; i++) {
                    long before = decided.get();
                    store.enforce(i % 2 == 0 ? other : one);
                    assertThat(Set.copyOf(store.limits(all))).hasSize(1);
                    // A decision that meets a change starts again. Changes without a pause would keep it from ending.
                    while (decided.get() == before) {
                        Thread.onSpinWait();
                    }
                }
                done.set(true);
                deciding.forEach(CompletableFuture::join);
            } finally {
                done.set(true);
                threads.shutdown();
            }
            assertThat(seen).as("what was left, of %s limiters", limiters).isSubsetOf(List.of(999L), List.of(1999L));
        }
    }
}
