package io.sluice.server.decide;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.Decision;
import io.sluice.Limit;
import io.sluice.MemoryStore;
import io.sluice.testkit.ManualTime;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class CallLimitsTest {
    private final ManualTime time = new ManualTime();
    private final MemoryStore store = MemoryStore.builder().time(time).build();
    private final CallLimits limits = new CallLimits(store, "call ");

    @Test
    void check_limitThatCameBefore_countsOn() {
        Limit limit = Limit.parse("10/min");
        assertThat(limits.check("k", 4, limit)).isEqualTo(Decision.allowed(6, 0, 24_000_000));
        assertThat(limits.check("k", 7, Limit.parse("10 per 1m"))).isEqualTo(Decision.denied(6, 6_000_000, 24_000_000));
        assertThat(limits.limit(limit)).isSameAs(limits.limit(Limit.parse("10/min")));
    }

    @Test
    void check_anotherLimit_keepsWhatWasUsed() {
        limits.check("k", 7, Limit.parse("10/min"));
        assertThat(limits.check("k", 1, Limit.parse("20/min")).remaining()).isEqualTo(12);
        assertThat(limits.check("other", 1, Limit.parse("20/min")).remaining()).isEqualTo(19);
    }

    @Test
    void check_backAndForth_neverGivesBack() {
        Limit small = Limit.parse("10 per 1h");
        Limit large = Limit.parse("12 per 1h");
        for (int i = 1; i <= 10; i++) {
            Decision decision = limits.check("k", 1, i % 2 == 0 ? small : large);
            assertThat(decision.allowed()).isTrue();
            assertThat(decision.remaining()).isEqualTo((i % 2 == 0 ? 10 : 12) - i);
        }
        assertThat(limits.check("k", 1, large).allowed()).isTrue();
        assertThat(limits.check("k", 1, small).allowed()).isFalse();
    }

    @Test
    void check_betweenLargeAndSmall_admitsNoMoreThanTheLarge() {
        for (String kind : List.of("token-bucket", "leaky-bucket", "fixed-window", "sliding-log", "sliding-counter")) {
            Limit small = Limit.parse(kind + " 20 per 1h");
            Limit large = Limit.parse(kind + " 30 per 1h");
            int admitted = 0;
            for (int i = 0; i < 200; i++) {
                admitted +=
                        limits.check(kind, 1, i / 7 % 2 == 0 ? large : small).allowed() ? 1 : 0;
            }
            assertThat(admitted).as(kind).isEqualTo(30);
        }
    }

    @Test
    void check_smallerLimit_deniesUntilTheDebtIsPaid() {
        limits.check("k", 100, Limit.parse("100 per 100s"));
        Limit smaller = Limit.parse("10 per 10s");
        Decision denied = limits.check("k", 1, smaller);
        assertThat(denied).isEqualTo(Decision.denied(0, 91_000_000, 100_000_000));
        time.advance(Duration.ofSeconds(91));
        assertThat(limits.check("k", 1, smaller).allowed()).isTrue();
    }

    @Test
    void check_anotherAlgorithm_keepsWhatWasUsed() {
        limits.check("k", 3, Limit.parse("fixed-window 5 per 1m from-first"));
        assertThat(limits.check("k", 1, Limit.parse("sliding-log 5 per 1m")).remaining())
                .isEqualTo(1);
        assertThat(limits.check("k", 2, Limit.parse("leaky-bucket 5/min")).allowed())
                .isFalse();
    }

    @Test
    void check_lookOnly_showsWhatWasUsedElsewhere() {
        limits.check("k", 7, Limit.parse("10/min"));
        assertThat(limits.check("k", 0, Limit.parse("20/min")).remaining()).isEqualTo(13);
    }

    @Test
    void check_unlimitedBetween_carriesNothing() {
        limits.check("k", 7, Limit.parse("10/min"));
        assertThat(limits.check("k", 1_000, Limit.unlimited()).allowed()).isTrue();
        assertThat(limits.check("k", 1, Limit.blocked()).never()).isTrue();
        assertThat(limits.check("k", 1, Limit.parse("10/min")).remaining()).isEqualTo(2);
    }

    @Test
    void check_moreLimitsThanAreLookedAt_knowsThoseAskedForLast() {
        limits.check("k", 5, Limit.parse("10/min"));
        LongStream.rangeClosed(1, CallLimits.RECENT - 2).forEach(i -> limits.check("other", 1, limit(100 + i)));
        assertThat(limits.check("k", 1, limit(500)).remaining()).isEqualTo(494);
        LongStream.rangeClosed(1, CallLimits.RECENT).forEach(i -> limits.check("x" + i, 1, limit(1000 + i)));
        assertThat(limits.check("k", 1, limit(600)).remaining()).isEqualTo(599);
    }

    @Test
    void checkAsync_anotherLimit_keepsWhatWasUsed() {
        limits.checkAsync("k", 7, Limit.parse("10/min")).toCompletableFuture().join();
        assertThat(limits.checkAsync("k", 1, Limit.parse("20/min"))
                        .toCompletableFuture()
                        .join()
                        .remaining())
                .isEqualTo(12);
        assertThat(limits.checkAsync("k", 3, Limit.parse("10/min"))
                        .toCompletableFuture()
                        .join()
                        .allowed())
                .isFalse();
    }

    @Test
    void limit_tooMany_isRefused() {
        LongStream.rangeClosed(1, CallLimits.MOST).forEach(i -> limits.limit(limit(i)));
        assertThatThrownBy(() -> limits.limit(limit(CallLimits.MOST + 1)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("limit token-bucket 10001/min: one more than can be kept"
                        + " (expected: at most 10000 distinct limits)");
        assertThat(limits.check("k", 1, limit(5)).remaining()).isEqualTo(4);
    }

    @Test
    void check_manyThreadsUnderChangingLimits_admitNoMoreThanTheLargest() throws InterruptedException {
        limits.limit(Limit.parse("1/s"));
        Limit[] all = {Limit.parse("200 per 1h"), Limit.parse("300 per 1h"), Limit.parse("250 per 1h")};
        LongAdder admitted = new LongAdder();
        int threads = 4;
        CountDownLatch done = new CountDownLatch(threads);
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        for (int t = 0; t < threads; t++) {
            int offset = t;
            pool.execute(() -> {
                for (int i = 0; i < 1000; i++) {
                    if (limits.check("k", 1, all[(i / 50 + offset) % 3]).allowed()) {
                        admitted.increment();
                    }
                }
                done.countDown();
            });
        }
        assertThat(done.await(60, TimeUnit.SECONDS)).isTrue();
        pool.shutdown();
        assertThat(admitted.sum()).isEqualTo(300);
    }

    private static Limit limit(long permits) {
        return Limit.tokenBucket(permits, Duration.ofMinutes(1));
    }
}
