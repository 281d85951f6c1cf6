package io.sluice.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.sluice.Charge;
import io.sluice.Decision;
import io.sluice.Decisions;
import io.sluice.Limit;
import io.sluice.LimiterOptions;
import io.sluice.OnFailure;
import io.sluice.RateLimiter;
import io.sluice.spi.Edition;
import io.sluice.spi.EditionConflictException;
import io.sluice.spi.LimitChangedException;
import io.sluice.spi.LimiterSpec;
import io.sluice.spi.PolicyCharge;
import io.sluice.spi.PolicyStore;
import io.sluice.spi.Publication;
import io.sluice.spi.Taking;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

interface JointDecisionContract extends StoreUnderTest {
    /** Most charges are taken if the request is allowed. */
    List<Taking> TAKING = List.of(Taking.IF_ADMITTED, Taking.IF_ADMITTED, Taking.ALWAYS);

    @Test
    default void decide_oneDenies_takesNothing() {
        PolicyStore store = newStore(new ManualTime());
        RateLimiter all = store.limiter("all", Limit.parse("10/s"));
        RateLimiter user = store.limiter("user", Limit.parse("sliding-log 1/s lockout 1m"));
        List<Charge> charges = List.of(all.charge("", 3), user.charge("alice", 1));
        assertThat(store.decide(charges).allowed()).isTrue();

        Decisions denied = store.decide(charges);

        assertThat(denied.each()).extracting(Decision::allowed).containsExactly(true, false);
        assertThat(denied.each()).extracting(Decision::remaining).containsExactly(7L, 0L);
        assertThat(denied.together().retryAfterMicros()).isEqualTo(60_000_000);
        assertThat(all.peek("").remaining()).isEqualTo(7);
        assertThat(user.peek("bob").remaining()).as("only alice is locked out").isEqualTo(1);
    }

    @Test
    default void decide_sameKeyTwice_isDecidedAsTheSum() {
        PolicyStore store = newStore(new ManualTime());
        RateLimiter limiter = store.limiter("limiter", Limit.parse("10/s"));
        assertThat(store.decide(List.of(limiter.charge("a", 6), limiter.charge("a", 5)))
                        .allowed())
                .isFalse();
        assertThat(store.decide(List.of(limiter.charge("a", 6), limiter.charge("a", 4)))
                        .allowed())
                .isTrue();
        assertThat(limiter.peek("a").remaining()).isZero();
    }

    @Test
    default void decide_noCharges_isAllowed() {
        assertThat(newStore(new ManualTime()).decide(List.of()).allowed()).isTrue();
    }

    @Test
    default void decide_anotherStoresLimiter_isRefused() {
        RateLimiter foreign = newLimiter(new ManualTime(), "10/s");
        PolicyStore store = newStore(new ManualTime());
        assertThatThrownBy(() -> store.decide(List.of(foreign.charge("a", 1))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("another store");
    }

    @Test
    default void limiter_sameName_isTheSameLimiter() {
        PolicyStore store = newStore(new ManualTime());
        store.limiter("api", Limit.parse("2/s")).tryAcquire("a", 2);
        assertThat(store.limiter("api", Limit.parse("2/s")).tryAcquire("a")).isFalse();
        assertThat(store.limiter("web", Limit.parse("2/s")).tryAcquire("a")).isTrue();
        assertThatThrownBy(() -> store.limiter("api", Limit.parse("3/s")))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("update");
    }

    @Test
    default void limiter_closedAndCreatedAgain_keepsItsState() throws InterruptedException {
        PolicyStore store = newStore(new ManualTime());
        RateLimiter closed = store.limiter("api", Limit.parse("2/s"));
        closed.acquire("a", 1);
        closed.close();
        RateLimiter again = store.limiter("api", Limit.parse("2/s"));
        again.acquire("a", 1);
        assertThat(again.tryAcquire("a")).isFalse();
    }

    @Test
    default void decide_withKeptPermits_leavesThemToOthers() {
        PolicyStore store = newStore(new ManualTime());
        RateLimiter limiter = store.limiter("limiter", Limit.parse("10/h lockout 1m"));
        Charge ordinary = PolicyCharge.of(limiter.charge("a", 1)).keeping(2);
        for (int left = 7; left >= 0; left--) {
            assertThat(store.decide(List.of(ordinary)).each())
                    .extracting(Decision::allowed, Decision::remaining)
                    .containsExactly(tuple(true, (long) left));
        }

        Decision denied = store.decide(List.of(ordinary)).each().get(0);
        assertThat(denied.allowed()).isFalse();
        assertThat(denied.remaining()).isZero();
        assertThat(denied.retryAfterMicros()).isEqualTo(360_000_000);

        assertThat(store.decide(List.of(limiter.charge("a", 2))).allowed())
                .as("the reserve starts no lockout, and is there")
                .isTrue();
        assertThat(store.decide(List.of(ordinary)).each().get(0).resetAfterMicros())
                .as("nothing is left: that is a denial of its own")
                .isGreaterThan(3_600_000_000L - 1);
        assertThat(limiter.peek("a").remaining()).isZero();
        assertThat(store.decide(List.of(PolicyCharge.of(limiter.charge("b", 9)).keeping(2)))
                        .each()
                        .get(0)
                        .never())
                .isTrue();
    }

    @Test
    default void decide_inShadow_neverDeniesAndIsTakenOnlyIfItAllows() {
        PolicyStore store = newStore(new ManualTime());
        RateLimiter all = store.limiter("all", Limit.parse("3/h"));
        RateLimiter shadow = store.limiter("shadow", Limit.parse("1/h lockout 1m"));
        RateLimiter loose = store.limiter("loose", Limit.parse("10/h"));
        List<Charge> charges = List.of(
                all.charge("", 1),
                PolicyCharge.of(shadow.charge("", 1)).inShadow(),
                PolicyCharge.of(loose.charge("", 1)).inShadow());
        assertThat(store.decide(charges).allowed()).isTrue();

        Decisions second = store.decide(charges);
        assertThat(second.allowed()).isTrue();
        assertThat(second.each()).extracting(Decision::allowed).containsExactly(true, false, true);
        assertThat(second.each().get(1).retryAfterMicros()).isEqualTo(3_600_000_000L);
        assertThat(shadow.peek("").resetAfterMicros()).isEqualTo(3_600_000_000L);

        store.decide(charges);
        Decisions denied = store.decide(charges);
        assertThat(denied.allowed()).isFalse();
        assertThat(denied.each()).extracting(Decision::allowed).containsExactly(false, false, true);
        assertThat(loose.peek("").remaining()).as("of four, one was denied").isEqualTo(7);
    }

    @Test
    default void decide_expectingAnotherLimit_decidesNothing() {
        PolicyStore store = newStore(new ManualTime());
        RateLimiter one = store.limiter("one", Limit.parse("3/h"));
        RateLimiter two = store.limiter("two", Limit.parse("3/h"));
        List<Charge> charges = List.of(
                PolicyCharge.of(one.charge("", 1)).expecting(Limit.parse("3/h")),
                PolicyCharge.of(two.charge("", 1)).expecting(Limit.parse("3/h")));
        assertThat(store.decide(charges).allowed()).isTrue();
        two.update(Limit.parse("4/h"));
        assertThatThrownBy(() -> store.decide(charges)).isInstanceOf(LimitChangedException.class);
        assertThat(one.peek("").remaining()).isEqualTo(2);
        assertThat(two.peek("").remaining()).isEqualTo(3);
    }

    @Test
    default void enforce_otherLimits_keepsTheUse() {
        PolicyStore store = newStore(new ManualTime());
        List<RateLimiter> before = store.enforce(List.of(spec("one", "3/h"), spec("two", "blocked")));
        before.get(0).tryAcquire("a", 2);
        List<RateLimiter> after =
                store.enforce(List.of(spec("two", "unlimited"), spec("one", "10/h"), spec("three", "1/h")));
        assertThat(after).extracting(RateLimiter::name).containsExactly("two", "one", "three");
        assertThat(after.get(0).tryAcquire("a")).isTrue();
        assertThat(after.get(1).peek("a").remaining()).isEqualTo(8);
        assertThat(before.get(0).limits()).containsExactly(Limit.parse("10/h"));
    }

    private static LimiterSpec spec(String name, String limit) {
        return new LimiterSpec(name, LimiterOptions.onFailure(OnFailure.ALLOW), Limit.parse(limit));
    }

    @Test
    default void publication_publish_isReportedAndStored() {
        Publication publication = newStore(new ManualTime()).publication("policies");
        assertThat(Stages.get(publication.latest())).isEmpty();
        List<Long> heard = new CopyOnWriteArrayList<>();
        Runnable end = publication.follow(edition -> heard.add(edition.number()));
        assertThat(Stages.get(publication.publish("a", 0)).number()).isEqualTo(1);
        assertThat(Stages.get(publication.publish("b \u2603", 1)).number()).isEqualTo(2);
        assertThatThrownBy(() -> Stages.get(publication.publish("c", 1)))
                .isInstanceOf(EditionConflictException.class)
                .hasMessageContaining("edition 2 is the latest");
        assertThat(Stages.get(publication.latest()).map(Edition::text)).contains("b \u2603");
        assertThat(Stages.get(publication.history()))
                .extracting(Edition::number, Edition::text)
                .containsExactly(tuple(2L, "b \u2603"), tuple(1L, "a"));
        assertThat(heard).isNotEmpty().last().isEqualTo(2L);
        end.run();
        Stages.get(publication.publish("d", 2));
        assertThat(heard).doesNotContain(3L);
    }

    @Test
    default void decide_randomChargesAndLimits_matchTheModel() {
        for (long seed = 0; seed < 60; seed++) {
            Random random = new Random(seed);
            RandomLimits limits = new RandomLimits(random);
            ManualTime time = new ManualTime();
            PolicyStore store = newStore(time);
            List<RateLimiter> limiters = new ArrayList<>();
            List<ReferenceModel> models = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                Limit limit = limits.anyRate();
                limiters.add(store.limiter("limiter" + i, limit));
                models.add(ReferenceModel.of(limit));
            }
            for (int step = 0; step < 100; step++) {
                time.advanceMicros(random.nextInt(4) == 0 ? random.nextLong(3_000_000) : random.nextLong(3));
                List<Charge> charges = new ArrayList<>();
                List<ModelCharge> asks = new ArrayList<>();
                boolean byForce = random.nextInt(6) == 0;
                for (int n = random.nextInt(4); n >= 0; n--) {
                    int which = random.nextInt(3);
                    String key = "k" + random.nextInt(2);
                    long capacity = Math.min(limiters.get(which).limits().get(0).capacity(), 1L << 50);
                    long permits = random.nextInt(4) == 0 ? random.nextLong(capacity + 2) : random.nextLong(3);
                    long kept = random.nextInt(3) > 0 ? 0 : random.nextLong(Math.min(capacity, 10) + 1);
                    boolean shadow = random.nextInt(3) == 0;
                    PolicyCharge charge = PolicyCharge.of(limiters.get(which).charge(key, permits))
                            .keeping(kept);
                    Taking taking = byForce ? Taking.FIRST : TAKING.get(random.nextInt(TAKING.size()));
                    charges.add((shadow ? charge.inShadow() : charge).taking(taking));
                    asks.add(new ModelCharge(models.get(which), key, permits, kept, shadow, taking));
                }
                assertThat(store.decide(charges).each())
                        .as("seed %s, step %s, %s", seed, step, charges)
                        .isEqualTo(ReferenceModel.decide(time.micros(), asks));
            }
        }
    }
}
