package io.sluice.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.Charge;
import io.sluice.Concurrency;
import io.sluice.Decision;
import io.sluice.HoldEndedException;
import io.sluice.Limit;
import io.sluice.Permit;
import io.sluice.RateLimiter;
import io.sluice.spi.EnteredCharges;
import io.sluice.testkit.ManualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RedisHoldsIT {
    private static final int STEPS = 1500;
    private final ManualTime time = new ManualTime();

    /** Runs steps of random length, whose calls travel together, on a key of a model and of several limiters. */
    private final class Trace {
        /** One for each limiter, because a batch is decided quickly only if all its calls can be. */
        final List<RedisStore> stores = List.of(TestRedis.store(time), TestRedis.store(time));

        final Random random;
        final boolean setsBack;
        Concurrency limit;

        /** The same limit, decided by {@code quick_concurrency.lua} and by {@code main.lua}. */
        final List<RateLimiter> limiters;

        final HoldModel model;

        /** The texts of each hold, one for each limiter. */
        final Map<Integer, List<String>> holds = new HashMap<>();

        int entered;
        int denied;
        int lapsed;

        Trace(long seed, boolean setsBack) {
            this.random = new Random(seed);
            this.setsBack = setsBack;
            this.limit = randomLimit();
            this.model = new HoldModel(limit);
            this.limiters = List.of(
                    stores.get(0).limiter("quick", limit), stores.get(1).limiter("slow", limit, Limit.unlimited()));
        }

        Concurrency randomLimit() {
            return Limit.concurrency(1 + random.nextInt(6)).hold(Duration.ofMillis(1 + random.nextInt(20)));
        }

        void run() {
            for (int step = 0; step < STEPS; step++) {
                move();
                List<Runnable> checks = new ArrayList<>();
                for (int calls = 1 + random.nextInt(8); calls > 0; calls--) {
                    checks.add(call());
                }
                checks.forEach(Runnable::run);
            }
            assertThat(entered).isGreaterThan(100);
            assertThat(denied).isGreaterThan(100);
            assertThat(lapsed).isGreaterThan(10);
        }

        private void move() {
            int what = random.nextInt(20);
            if (what == 0 && setsBack) {
                time.set(time.micros() - random.nextInt(20_000));
            } else if (what == 1 && !setsBack) {
                limit = randomLimit();
                model.update(limit);
                limiters.get(0).update(limit);
                limiters.get(1).update(limit, Limit.unlimited());
            } else if (what > 5) {
                time.advanceMicros(random.nextInt(4000));
            }
        }

        /** Makes one call on every limiter. Returns its check. */
        private Runnable call() {
            long now = time.micros();
            int what = random.nextInt(100);
            if (what < 50) {
                return enter(now);
            } else if (what < 60) {
                long asked = random.nextInt(3);
                Decision expected = model.look(now, Math.min(asked, 1));
                return check("look", expected, limiter -> limiter.peekAsync("key", asked));
            } else if (what == 99) {
                model.reset();
                List<CompletableFuture<Void>> done = each(limiter -> limiter.resetAsync("key"));
                return () -> done.forEach(CompletableFuture::join);
            }
            return holds.isEmpty() ? () -> {} : what < 85 ? release(now) : renew(now);
        }

        private Runnable enter(long now) {
            int id = holds.size();
            List<String> texts = new ArrayList<>();
            holds.put(id, texts);
            Decision expected = model.enter(now, id);
            List<CompletableFuture<EnteredCharges>> answers =
                    each(limiter -> store(limiter).enterAsync(List.of(limiter.charge("key"))));
            return () -> {
                entered += expected.allowed() ? 1 : 0;
                denied += expected.allowed() ? 0 : 1;
                for (CompletableFuture<EnteredCharges> answer : answers) {
                    EnteredCharges charges = answer.join();
                    assertThat(charges.decisions().each()).as("enter").containsExactly(expected);
                    assertThat(charges.holds() != null).isEqualTo(expected.allowed());
                    texts.add(Objects.requireNonNullElse(charges.holds(), ""));
                }
            };
        }

        private List<String> anyHold(int id) {
            List<String> texts = Objects.requireNonNull(holds.get(id));
            return texts.size() == limiters.size() && !texts.get(0).isEmpty() ? texts : List.of();
        }

        private Runnable release(long now) {
            int id = random.nextInt(holds.size());
            List<String> texts = anyHold(id);
            if (texts.isEmpty()) {
                return () -> {};
            }
            boolean expected = model.release(now, id);
            return ended("release", expected, each(texts, RedisStore::releaseAsync));
        }

        private Runnable renew(long now) {
            int id = random.nextInt(holds.size());
            List<String> texts = anyHold(id);
            if (texts.isEmpty()) {
                return () -> {};
            }
            boolean expected = model.renew(now, id);
            return ended("renew", expected, each(texts, RedisStore::renewAsync));
        }

        private Runnable ended(String what, boolean expected, List<CompletionStage<Void>> answers) {
            return () -> {
                lapsed += expected ? 0 : 1;
                for (CompletionStage<Void> answer : answers) {
                    assertThat(answer.toCompletableFuture()
                                    .handle((done, failure) -> failure == null)
                                    .join())
                            .as(what)
                            .isEqualTo(expected);
                }
            };
        }

        private RedisStore store(RateLimiter limiter) {
            return stores.get(limiters.indexOf(limiter));
        }

        private List<CompletionStage<Void>> each(
                List<String> texts, BiFunction<RedisStore, String, CompletionStage<Void>> call) {
            return List.of(call.apply(stores.get(0), texts.get(0)), call.apply(stores.get(1), texts.get(1)));
        }

        private <T> List<CompletableFuture<T>> each(Function<RateLimiter, CompletionStage<T>> call) {
            return limiters.stream()
                    .map(limiter -> call.apply(limiter).toCompletableFuture())
                    .toList();
        }

        private Runnable check(String what, Decision expected, Function<RateLimiter, CompletionStage<Decision>> call) {
            List<CompletableFuture<Decision>> answers = each(call);
            return () ->
                    answers.forEach(answer -> assertThat(answer.join()).as(what).isEqualTo(expected));
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6})
    void calls_thatTravelTogether_areDecidedAsTheModelSays(long seed) {
        new Trace(seed, false).run();
    }

    @ParameterizedTest
    @ValueSource(longs = {11, 12, 13, 14, 15, 16})
    void calls_whileTheClockIsSetBack_areDecidedAsTheModelSays(long seed) {
        new Trace(seed, true).run();
    }

    @Test
    void permit_isRenewedInTheBackground_untilItIsClosed() {
        RateLimiter limiter =
                TestRedis.store(time).limiter("reports", Limit.concurrency(1).hold(Duration.ofSeconds(3)));
        Permit permit = limiter.tryEnter("key").orElseThrow();

        time.advance(Duration.ofMinutes(1));

        assertThat(limiter.tryEnter("key")).isEmpty();
        assertThat(permit.isHeld()).isTrue();
        permit.close();
        assertThat(permit.isHeld()).isFalse();
        assertThat(limiter.tryEnter("key")).isPresent();
    }

    @Test
    void permit_afterAReset_isNotHeldAnyMore() {
        RateLimiter limiter =
                TestRedis.store(time).limiter("reports", Limit.concurrency(1).hold(Duration.ofSeconds(3)));
        Permit permit = limiter.tryEnter("key").orElseThrow();

        limiter.reset("key");
        Permit other = limiter.tryEnter("key").orElseThrow();
        time.advance(Duration.ofSeconds(1));
        // Its answer comes after that of the renewal.
        limiter.peek("key");

        assertThat(permit.isHeld()).isFalse();
        permit.close();
        assertThat(limiter.tryEnter("key")).isEmpty();
        assertThat(other.isHeld()).isTrue();
    }

    @Test
    void holds_ofSeveralLimiters_areAllOrNothing() {
        RedisStore store = TestRedis.store(time);
        RateLimiter wide = store.limiter("wide", Limit.concurrency(5));
        RateLimiter narrow = store.limiter("narrow", Limit.concurrency(1));
        RateLimiter rate = store.limiter("rate", Limit.parse("10/h"));
        List<Charge> charges = List.of(wide.charge("a", 7), narrow.charge("b"), rate.charge("c", 2));

        EnteredCharges entered = store.enterAsync(charges).toCompletableFuture().join();
        EnteredCharges denied = store.enterAsync(charges).toCompletableFuture().join();

        assertThat(entered.decisions().allowed()).isTrue();
        assertThat(entered.renewEvery()).isEqualTo(Duration.ofSeconds(20));
        assertThat(denied.decisions().allowed()).isFalse();
        assertThat(denied.holds()).isNull();
        assertThat(wide.peek("a").remaining()).isEqualTo(4);
        assertThat(rate.peek("c").remaining()).isEqualTo(8);

        store.renewAsync(holds(entered)).toCompletableFuture().join();
        store.releaseAsync(holds(entered)).toCompletableFuture().join();
        assertThat(wide.peek("a").remaining()).isEqualTo(5);
        assertThat(narrow.peek("b").remaining()).isEqualTo(1);
        assertThat(rate.peek("c").remaining()).isEqualTo(8);
        assertEnded(store.releaseAsync(holds(entered)));
        assertEnded(store.renewAsync(holds(entered)));
    }

    @Test
    void renewal_ofHoldsOfWhichOneHasEnded_renewsNone() {
        RedisStore store = TestRedis.store(time);
        RateLimiter one = store.limiter("one", Limit.concurrency(5).hold(Duration.ofSeconds(10)));
        RateLimiter two = store.limiter("two", Limit.concurrency(5).hold(Duration.ofSeconds(10)));
        EnteredCharges entered = store.enterAsync(List.of(one.charge("a"), two.charge("b")))
                .toCompletableFuture()
                .join();

        two.reset("b");
        time.advance(Duration.ofSeconds(9));
        assertEnded(store.renewAsync(holds(entered)));
        time.advance(Duration.ofSeconds(1));

        assertThat(one.peek("a").remaining()).isEqualTo(5);
    }

    @Test
    void texts_thatNameNoHolds_areRefused() {
        RedisStore store = TestRedis.store(time);
        for (String text : List.of("", "x", "not holds", "AgAA", "AQAA")) {
            assertThatThrownBy(
                            () -> store.releaseAsync(text).toCompletableFuture().join())
                    .as(text)
                    .isInstanceOf(CompletionException.class)
                    .hasCauseInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void permits_ofAConcurrencyLimit_areNotUsedUp() {
        RedisStore store = TestRedis.store(time);
        RateLimiter limiter = store.limiter("reports", Limit.concurrency(2));

        List.<ThrowingCallable>of(
                        () -> limiter.tryAcquire("key"),
                        () -> limiter.check("key"),
                        () -> limiter.acquire("key"),
                        () -> limiter.acquireUpTo("key", 1),
                        () -> limiter.reserve("key"),
                        () -> limiter.penalize("key"),
                        () -> store.decide(List.of(limiter.charge("key"))))
                .forEach(call -> assertThatThrownBy(call)
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContainingAll("reports", "concurrency 2", "enter"));
        limiter.refund("key");
        assertThat(limiter.check("key", 0).remaining()).isEqualTo(2);
        assertThat(limiter.peek("key", 5).allowed()).isTrue();
    }

    @Test
    void enter_ofSeveralLimits_takesAllOfThem_andLeavesRatesUsed() {
        RateLimiter limiter = TestRedis.store(time).limiter("both", Limit.parse("2/h"), Limit.concurrency(1));

        Permit permit = limiter.tryEnter("key").orElseThrow();
        assertThat(limiter.tryEnter("key")).isEmpty();
        permit.close();
        Optional<Permit> second = limiter.tryEnter("key");
        second.orElseThrow().close();

        assertThat(limiter.tryEnter("key")).isEmpty();
        assertThat(limiter.peek("key").remaining()).isZero();
    }

    private static void assertEnded(CompletionStage<Void> stage) {
        assertThatThrownBy(() -> stage.toCompletableFuture().join())
                .isInstanceOf(CompletionException.class)
                .hasCauseInstanceOf(HoldEndedException.class);
    }

    private static String holds(EnteredCharges entered) {
        return Objects.requireNonNull(entered.holds());
    }
}
