package io.sluice.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.CallLimiter;
import io.sluice.Charge;
import io.sluice.Decision;
import io.sluice.Decisions;
import io.sluice.Limit;
import io.sluice.LimiterOptions;
import io.sluice.OnFailure;
import io.sluice.RateLimiter;
import io.sluice.spi.LimiterSpec;
import io.sluice.spi.PolicyCharge;
import io.sluice.spi.PolicyStore;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The contract of call limiters: limits that come with calls. */
interface CallLimiterContract extends DifferentialContract {
    @Test
    default void calls_randomTracesOfChangingLimits_areDecidedAsByTheModel() {
        runCalls(false);
    }

    @Test
    default void calls_timeThatStepsBack_areDecidedAsByTheModel() {
        runCalls(true);
    }

    private void runCalls(boolean backward) {
        RandomTraces.compare(
                decisions() / 8,
                RandomLimits.RATES,
                (seed, kind) -> CallLimiterDifferential.run(seed, kind, backward, 100, this::newStore));
    }

    @Test
    default void call_sameLimit_countsOn() {
        CallLimiter calls = newStore(new ManualTime()).callLimiter("calls");
        assertThat(calls.name()).isEqualTo("calls");
        assertThat(calls.check("k", 4, Limit.parse("10/min"))).isEqualTo(Decision.allowed(6, 0, 24_000_000));
        assertThat(calls.check("k", 7, Limit.parse("10 per 1m"))).isEqualTo(Decision.denied(6, 6_000_000, 24_000_000));
        assertThat(calls.peek("k", 7, Limit.parse("10/min"))).isEqualTo(Decision.denied(6, 6_000_000, 24_000_000));
        assertThat(calls.checkAsync("k", 6, Limit.parse("10/min"))
                        .toCompletableFuture()
                        .join()
                        .remaining())
                .isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"token-bucket", "leaky-bucket", "fixed-window", "sliding-log", "sliding-counter"})
    default void call_alternatingBetweenTwoLimits_admitsNoMoreThanTheLarger(String kind) {
        CallLimiter calls = newStore(new ManualTime()).callLimiter("calls");
        Limit small = Limit.parse(kind + " 20 per 1h");
        Limit large = Limit.parse(kind + " 30 per 1h");
        int admitted = 0;
        for (int i = 0; i < 100; i++) {
            admitted += calls.check("k", 1, i / 7 % 2 == 0 ? large : small).allowed() ? 1 : 0;
        }
        assertThat(admitted).isEqualTo(30);
    }

    @Test
    default void call_smallerLimit_isDeniedUntilTheDebtIsPaid() {
        ManualTime time = new ManualTime();
        CallLimiter calls = newStore(time).callLimiter("calls");
        calls.check("k", 100, Limit.parse("100 per 100s"));
        Limit smaller = Limit.parse("10 per 10s");
        assertThat(calls.check("k", 1, smaller))
                .isEqualTo(new Decision(false, 0, 91_000_000, 0, 100_000_000, 90, false));
        time.advance(Duration.ofSeconds(91));
        assertThat(calls.check("k", 1, smaller).allowed()).isTrue();
    }

    @Test
    default void call_anotherRate_keepsTheUse() {
        ManualTime time = ManualTime.forwardOnly(ManualTime.START_MICROS);
        CallLimiter calls = newStore(time).callLimiter("calls");
        calls.check("k", 2, Limit.parse("100 per 100s"));
        time.advance(Duration.ofMillis(250));
        Decision look = calls.check("k", 0, Limit.parse("100 per 50s"));
        assertThat(look).as("1.75 in use, of which one takes 500 ms").isEqualTo(Decision.allowed(98, 0, 875_000));
        assertThat(calls.check("k", 1, Limit.parse("100 per 50s")).resetAfterMicros())
                .isEqualTo(1_375_000);
    }

    /** Every conversion would start a new window. A denied caller must not be able to extend or end the window. */
    @Test
    default void call_deniedUnderAnotherLimit_changesNothing() {
        ManualTime time = new ManualTime();
        CallLimiter calls = newStore(time).callLimiter("calls");
        Limit window = Limit.parse("fixed-window 5 per 10m from-first");
        calls.check("k", 5, window);
        time.advance(Duration.ofMinutes(9));
        assertThat(calls.check("k", 1, Limit.parse("sliding-log 5 per 1h")).allowed())
                .isFalse();
        assertThat(calls.check("k", 0, Limit.parse("100 per 1s")).remaining()).isEqualTo(95);
        assertThat(calls.peek("k", 1, Limit.parse("100 per 1s")).allowed()).isTrue();
        time.advance(Duration.ofMinutes(1).minusNanos(1000));
        assertThat(calls.check("k", 1, window).allowed()).isFalse();
        time.advance(Duration.ofNanos(1000));
        assertThat(calls.check("k", 5, window).allowed()).isTrue();
    }

    @Test
    default void call_unlimitedOrBlockedBetween_keepsTheUse() {
        CallLimiter calls = newStore(new ManualTime()).callLimiter("calls");
        calls.check("k", 7, Limit.parse("10/min"));
        assertThat(calls.check("k", 1_000, Limit.unlimited())).isEqualTo(Decision.allowed(Long.MAX_VALUE, 0, 0));
        assertThat(calls.check("k", 1, Limit.blocked()).never()).isTrue();
        assertThat(calls.check("k", 1, Limit.parse("10/min")).remaining()).isEqualTo(2);
    }

    @Test
    default void call_lockoutUnderAnotherLimit_startsAndStays() {
        ManualTime time = new ManualTime();
        CallLimiter calls = newStore(time).callLimiter("calls");
        calls.check("k", 5, Limit.parse("10/min"));
        assertThat(calls.check("k", 1, Limit.parse("5/min lockout 5m")).retryAfter())
                .isEqualTo(Duration.ofMinutes(5));
        assertThat(calls.check("k", 1, Limit.parse("100/min lockout 1m")).retryAfter())
                .isEqualTo(Duration.ofMinutes(5));
        assertThat(calls.check("k", 1, Limit.parse("100/min")).retryAfter())
                .as("under a limit without a lockout")
                .isEqualTo(Duration.ofMinutes(5));
        time.advance(Duration.ofMinutes(5));
        assertThat(calls.check("k", 1, Limit.parse("100/min")).allowed()).isTrue();
    }

    @Test
    default void call_refundAndReset_useTheLimitOfTheKey() {
        CallLimiter calls = newStore(new ManualTime()).callLimiter("calls");
        Limit limit = Limit.parse("10 per 1h");
        calls.refund("never seen", 5);
        calls.reset("never seen");
        calls.check("k", 8, limit);
        calls.refund("k", 3);
        assertThat(calls.check("k", 0, limit).remaining()).isEqualTo(5);
        calls.refundAsync("k", 100).toCompletableFuture().join();
        assertThat(calls.check("k", 10, limit).allowed()).isTrue();
        calls.reset("k");
        assertThat(calls.check("k", 10, limit).allowed()).isTrue();
        calls.resetAsync("k").toCompletableFuture().join();
        assertThat(calls.check("k", 0, limit).remaining()).isEqualTo(10);
    }

    @Test
    default void decide_ownLimitAndOthers_areTakenTogetherOrNotAtAll() {
        PolicyStore store = newStore(new ManualTime());
        RateLimiter all = store.limiter("all", Limit.parse("10 per 1h"));
        CallLimiter calls = store.callLimiter("calls");
        CallLimiter more = store.callLimiter("more");
        Limit five = Limit.parse("fixed-window 5 per 1h");
        List<Charge> charges = List.of(
                all.charge("", 3),
                calls.charge("a", 3, five),
                more.charge("a", 3, Limit.parse("sliding-log 4 per 1h")));
        assertThat(store.decide(charges).allowed()).isTrue();

        Decisions denied = store.decide(charges);
        assertThat(denied.allowed()).isFalse();
        assertThat(denied.each()).extracting(Decision::allowed).containsExactly(true, false, false);
        assertThat(all.peek("").remaining()).isEqualTo(7);
        assertThat(calls.check("a", 0, five).remaining()).isEqualTo(2);

        Decisions shadow = store.decide(List.of(
                all.charge("", 1),
                PolicyCharge.of(calls.charge("a", 3, five)).inShadow(),
                PolicyCharge.of(more.charge("b", 2, five)).keeping(3)));
        assertThat(shadow.allowed()).isTrue();
        assertThat(shadow.each()).extracting(Decision::allowed).containsExactly(true, false, true);
        assertThat(shadow.each().get(2).remaining()).isZero();
        assertThat(calls.check("a", 0, five).remaining()).isEqualTo(2);
    }

    @Test
    default void decide_oneKeyTwice_decidesTheSumIfTheLimitIsTheSame() {
        PolicyStore store = newStore(new ManualTime());
        CallLimiter calls = store.callLimiter("calls");
        Limit limit = Limit.parse("10 per 1h");
        assertThat(store.decide(List.of(calls.charge("a", 6, limit), calls.charge("a", 5, limit)))
                        .allowed())
                .isFalse();
        assertThatThrownBy(() -> store.decide(
                        List.of(calls.charge("a", 1, limit), calls.charge("a", 1, Limit.parse("20 per 1h")))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("charges on \"calls\", key \"a\": carry ")
                .hasMessageContaining("(expected: one limit for each key of a decision)");
        assertThat(store.decide(List.of(calls.charge("a", 6, limit), calls.charge("a", 4, limit)))
                        .allowed())
                .isTrue();
    }

    @Test
    default void charge_withoutTheLimitThatItNeeds_isRefused() {
        PolicyStore store = newStore(new ManualTime());
        CallLimiter calls = store.callLimiter("calls");
        RateLimiter limiter = store.limiter("limiter", Limit.parse("1/s"));
        Limit limit = Limit.parse("10/s");
        assertThatThrownBy(() -> new PolicyCharge(calls, "a", 1, null, 0, false, null))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("(expected: a limit of its own on a call limiter, and only there)");
        assertThatThrownBy(() -> new PolicyCharge(limiter, "a", 1, limit, 0, false, null))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> PolicyCharge.of(calls.charge("a", 1, limit)).expecting(limit))
                .isInstanceOf(IllegalArgumentException.class);
        PolicyStore another = newStore(new ManualTime());
        assertThatThrownBy(() -> another.decide(List.of(calls.charge("a", 1, limit))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("of another store");
    }

    @Test
    default void name_ofTheOtherKind_isRefused() {
        PolicyStore store = newStore(new ManualTime());
        store.limiter("limiter", Limit.parse("1/s"));
        assertThat(store.callLimiter("calls")).isSameAs(store.callLimiter("calls"));
        assertThatThrownBy(() -> store.callLimiter("limiter"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("call limiter \"limiter\": exists as a limiter (expected: another name)");
        assertThatThrownBy(() -> store.limiter("calls", Limit.parse("1/s")))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("limiter \"calls\": exists as a call limiter (expected: another name)");
        assertThatThrownBy(() -> store.enforce(List.of(
                        new LimiterSpec("calls", LimiterOptions.onFailure(OnFailure.ALLOW), Limit.parse("1/s")))))
                .isInstanceOf(IllegalStateException.class);
    }

    @Test
    default void keys_long_areDistinguished() {
        CallLimiter calls = newStore(new ManualTime()).callLimiter("calls");
        Limit once = Limit.parse("1/d");
        String longKey = "k".repeat(60_000);
        String itsDigest = "#" + digest(longKey);
        assertThat(calls.check(longKey, 1, once).allowed()).isTrue();
        assertThat(calls.check(longKey, 1, once).allowed()).isFalse();
        for (String key : List.of(
                "k".repeat(59_999),
                "k".repeat(59_999) + "l",
                itsDigest,
                "#" + digest(itsDigest),
                "#" + "k".repeat(43),
                "#" + "k".repeat(60_000),
                "\ud800".repeat(300),
                "\ud801".repeat(300),
                "")) {
            assertThat(calls.check(key, 1, once).allowed()).isTrue();
            assertThat(calls.check(key, 1, once).allowed()).isFalse();
        }
    }

    private static String digest(String key) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(key.getBytes(StandardCharsets.UTF_16BE));
            return Base64.getUrlEncoder().withoutPadding().encodeToString(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    /** A change of the limit is atomic: no caller finds the key without its use. */
    @Test
    default void call_eightThreadsAlternateTwoLimits_admitExactlyTheLarger() throws InterruptedException {
        CallLimiter calls = newStore(new ManualTime()).callLimiter("calls");
        Limit[] both = {Limit.parse("200 per 1h"), Limit.parse("sliding-log 300 per 1h")};
        LongAdder admitted = new LongAdder();
        int threads = 8;
        CountDownLatch done = new CountDownLatch(threads);
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        for (int t = 0; t < threads; t++) {
            int offset = t;
            pool.execute(() -> {
                for (int i = 0; i < 200; i++) {
                    if (calls.check("k", 1, both[(i + offset) % 2]).allowed()) {
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
}
