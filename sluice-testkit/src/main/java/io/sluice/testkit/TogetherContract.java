package io.sluice.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.Charge;
import io.sluice.Decision;
import io.sluice.Decisions;
import io.sluice.Limit;
import io.sluice.RateLimiter;
import io.sluice.Store;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

interface TogetherContract extends StoreTests {
    @Test
    default void decide_oneDenies_nothingIsTakenAnywhere() {
        Store store = newStore(new ManualTime());
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
        Store store = newStore(new ManualTime());
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
        Store store = newStore(new ManualTime());
        assertThatThrownBy(() -> store.decide(List.of(foreign.charge("a", 1))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("another store");
    }

    @Test
    default void limiter_sameName_isTheSameLimiter() {
        Store store = newStore(new ManualTime());
        store.limiter("api", Limit.parse("2/s")).tryAcquire("a", 2);
        assertThat(store.limiter("api", Limit.parse("2/s")).tryAcquire("a")).isFalse();
        assertThat(store.limiter("web", Limit.parse("2/s")).tryAcquire("a")).isTrue();
        assertThatThrownBy(() -> store.limiter("api", Limit.parse("3/s")))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("update");
    }

    @Test
    default void limiter_closedAndAskedForAgain_goesOnWithItsState() throws InterruptedException {
        Store store = newStore(new ManualTime());
        RateLimiter closed = store.limiter("api", Limit.parse("2/s"));
        closed.acquire("a", 1);
        closed.close();
        RateLimiter again = store.limiter("api", Limit.parse("2/s"));
        again.acquire("a", 1);
        assertThat(again.tryAcquire("a")).isFalse();
    }

    @Test
    default void decide_anyChargesOnAnyLimits_isAsTheModel() {
        for (long seed = 0; seed < 40; seed++) {
            Random random = new Random(seed);
            RandomLimits limits = new RandomLimits(random);
            ManualTime time = new ManualTime();
            Store store = newStore(time);
            List<RateLimiter> limiters = new ArrayList<>();
            List<ReferenceModel> models = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                Limit limit = limits.any();
                limiters.add(store.limiter("limiter" + i, limit));
                models.add(ReferenceModel.of(limit));
            }
            for (int step = 0; step < 100; step++) {
                time.advanceMicros(random.nextInt(4) == 0 ? random.nextLong(3_000_000) : random.nextLong(3));
                List<Charge> charges = new ArrayList<>();
                List<Ask> asks = new ArrayList<>();
                for (int n = random.nextInt(4); n >= 0; n--) {
                    int which = random.nextInt(3);
                    String key = "k" + random.nextInt(2);
                    long capacity = Math.min(limiters.get(which).limits().get(0).capacity(), 1L << 50);
                    long permits = random.nextInt(4) == 0 ? random.nextLong(capacity + 2) : random.nextLong(3);
                    charges.add(limiters.get(which).charge(key, permits));
                    asks.add(new Ask(models.get(which), key, permits));
                }
                assertThat(store.decide(charges).each())
                        .as("seed %s, step %s, %s", seed, step, charges)
                        .isEqualTo(ReferenceModel.decide(time.micros(), asks));
            }
        }
    }
}
