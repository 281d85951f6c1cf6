package io.sluice.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.Charge;
import io.sluice.Decision;
import io.sluice.Limit;
import io.sluice.LimiterOptions;
import io.sluice.OnFailure;
import io.sluice.Permit;
import io.sluice.RateLimiter;
import io.sluice.spi.EnteredCharges;
import io.sluice.testkit.Eventually;
import io.sluice.testkit.redis.RedisProcess;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests permits that are held while Redis goes away and comes back. */
class HoldFaultsIT {
    private static final Duration LONG = Duration.ofSeconds(30);
    private static final String TWELVE = "concurrency 12 hold 1h";

    private RedisProcess redis;
    private final List<RedisStore> stores = new ArrayList<>();

    @BeforeEach
    void start() {
        redis = RedisProcess.start();
    }

    @AfterEach
    void stop() {
        stores.forEach(RedisStore::close);
        redis.close();
    }

    private RedisStore store() {
        RedisStore store = RedisStore.connect(redis.uri());
        stores.add(store);
        return store;
    }

    private static RateLimiter limiter(RedisStore store, OnFailure how) {
        return store.limiter("reports", LimiterOptions.onFailure(how), Limit.parse(TWELVE));
    }

    private static Permit enter(RateLimiter limiter) {
        return limiter.tryEnter("key").orElseThrow();
    }

    private void away(RateLimiter limiter) {
        redis.pause();
        Eventually.within(LONG, "away", () -> limiter.peek("other").degraded());
    }

    private void back(RateLimiter limiter) {
        redis.resume();
        Eventually.within(LONG, "back", () -> !limiter.peek("other").degraded());
    }

    private static void awaitRemaining(RateLimiter limiter, long remaining) {
        Eventually.within(LONG, () -> remaining + " remain: " + limiter.peek("key"), () -> {
            Decision decision = limiter.peek("key");
            return !decision.degraded() && decision.remaining() == remaining;
        });
    }

    @Test
    void allow_givesPermitsThatHoldNothing() {
        RateLimiter limiter = limiter(store(), OnFailure.ALLOW);
        Permit held = enter(limiter);
        away(limiter);

        Permit permit = enter(limiter);
        assertThat(permit.decision().degraded()).isTrue();
        assertThat(permit.isHeld()).isTrue();

        back(limiter);
        awaitRemaining(limiter, 11);
        permit.close();
        assertThat(permit.isHeld()).isFalse();
        awaitRemaining(limiter, 11);
        held.close();
        awaitRemaining(limiter, 12);
    }

    @Test
    void deny_givesNoPermit_andAWaiterWaitsForRedis() throws Exception {
        RateLimiter limiter = limiter(store(), OnFailure.DENY);
        enter(limiter).close();
        away(limiter);

        assertThat(limiter.tryEnter("key")).isEmpty();
        assertThat(limiter.tryEnter("key", Duration.ofMillis(200))).isEmpty();
        CompletableFuture<Permit> waiter = limiter.enterAsync("key").toCompletableFuture();
        assertThat(waiter).isNotDone();

        redis.resume();
        Permit permit = waiter.get(LONG.toSeconds(), TimeUnit.SECONDS);
        assertThat(permit.decision().degraded()).isFalse();
        awaitRemaining(limiter, 11);
    }

    @Test
    void permit_closedWhileRedisIsAway_isGivenBackLater() {
        RedisStore store = store();
        RateLimiter limiter = limiter(store, OnFailure.ALLOW);
        Permit permit = enter(limiter);
        away(limiter);

        permit.close();
        assertThat(permit.isHeld()).isFalse();

        back(limiter);
        // Its hold is an hour.
        awaitRemaining(limiter, 12);
    }

    @Test
    void local_dividesThePermits_countsWhatIsHeldInRedis_andAddsItsHoldsAfterwards() {
        RedisStore one = store();
        RedisStore two = store();
        RateLimiter first = limiter(one, OnFailure.LOCAL);
        RateLimiter second = limiter(two, OnFailure.LOCAL);
        Eventually.within(LONG, "both are known", () -> one.processes() == 2 && two.processes() == 2);
        List<Permit> held = new ArrayList<>(List.of(enter(first), enter(first), enter(first), enter(first)));
        redis.pause();
        Eventually.within(
                LONG,
                "away",
                () -> first.peek("other").degraded() && second.peek("other").degraded());

        // 6 are the share of each. The first process holds 4 of them already.
        List<Permit> ofFirst = enterAll(first);
        List<Permit> ofSecond = enterAll(second);
        assertThat(ofFirst).hasSize(2).allMatch(permit -> permit.decision().degraded() && permit.isHeld());
        assertThat(ofSecond).hasSize(6);
        ofSecond.remove(0).close();
        ofSecond.addAll(enterAll(second));
        assertThat(ofSecond).hasSize(6);

        redis.resume();
        awaitRemaining(first, 0);
        assertThat(first.tryEnter("key")).isEmpty();
        held.addAll(ofFirst);
        held.addAll(ofSecond);
        assertThat(held).hasSize(12).allMatch(Permit::isHeld);
        held.forEach(Permit::close);
        awaitRemaining(second, 12);
    }

    private static List<Permit> enterAll(RateLimiter limiter) {
        List<Permit> permits = new ArrayList<>();
        for (Optional<Permit> next = limiter.tryEnter("key"); next.isPresent(); next = limiter.tryEnter("key")) {
            permits.add(next.get());
        }
        return permits;
    }

    @Test
    void local_aRestartedRedisLearnsAllLocalHolds_andOnlyThose() {
        RedisStore store = store();
        RateLimiter limiter = limiter(store, OnFailure.LOCAL);
        Permit lost = enter(limiter);
        redis.kill();
        Eventually.within(LONG, "away", () -> limiter.peek("other").degraded());
        Permit local = enter(limiter);

        redis.restart();
        awaitRemaining(limiter, 11);
        local.close();
        awaitRemaining(limiter, 12);
        lost.close();
        awaitRemaining(limiter, 12);
    }

    @Test
    void local_chargesOfSeveralLimiters_areAllOrNothing_andCanBeReleased() {
        RedisStore store = store();
        RateLimiter limiter = limiter(store, OnFailure.LOCAL);
        RateLimiter rate = store.limiter("rate", LimiterOptions.onFailure(OnFailure.LOCAL), Limit.parse("20/d"));
        RateLimiter single = store.limiter(
                "single", LimiterOptions.onFailure(OnFailure.LOCAL), Limit.parse("concurrency 1 hold 1h"));
        limiter.peek("key");
        away(limiter);

        List<Charge> charges = List.of(limiter.charge("key"), rate.charge("key"), single.charge("key"));
        EnteredCharges entered = store.enterAsync(charges).toCompletableFuture().join();
        EnteredCharges denied = store.enterAsync(charges).toCompletableFuture().join();
        assertThat(entered.decisions().allowed()).isTrue();
        assertThat(entered.holds()).isNotNull();
        assertThat(denied.decisions().allowed()).isFalse();
        assertThat(limiter.peek("key").remaining()).isEqualTo(11);
        assertThat(rate.peek("key").remaining()).isEqualTo(19);

        store.renewAsync(holds(entered)).toCompletableFuture().join();
        store.releaseAsync(holds(entered)).toCompletableFuture().join();
        assertThat(limiter.peek("key").remaining()).isEqualTo(12);
        back(limiter);
        awaitRemaining(limiter, 12);
        awaitRemaining(rate, 19);
    }

    private static String holds(EnteredCharges entered) {
        return Objects.requireNonNull(entered.holds());
    }
}
