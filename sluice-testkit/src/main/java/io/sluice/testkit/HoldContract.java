package io.sluice.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.Charge;
import io.sluice.Decision;
import io.sluice.HoldEndedException;
import io.sluice.Limit;
import io.sluice.RateLimiter;
import io.sluice.spi.EnteredCharges;
import io.sluice.spi.PolicyCharge;
import io.sluice.spi.PolicyStore;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Charges that hold permits until they are released, as policy engines use them. */
interface HoldContract extends StoreUnderTest {
    Duration HOLD = Duration.ofMinutes(1);

    private static EnteredCharges enter(PolicyStore store, Charge... charges) {
        return Stages.get(store.enterAsync(List.of(charges)));
    }

    private static String holds(EnteredCharges entered) {
        return Objects.requireNonNull(entered.holds(), () -> "nothing is held: " + entered);
    }

    private static void assertEnded(PolicyStore store, String holds) {
        assertThatThrownBy(() -> Stages.get(store.renewAsync(holds))).isInstanceOf(HoldEndedException.class);
        assertThatThrownBy(() -> Stages.get(store.releaseAsync(holds))).isInstanceOf(HoldEndedException.class);
    }

    @Test
    default void enter_upToThePermits_thenIsDenied() {
        ManualTime time = new ManualTime();
        PolicyStore store = newStore(time);
        RateLimiter limiter = store.limiter("limiter", Limit.parse("concurrency 2"));
        long minute = 60_000_000;
        EnteredCharges first = enter(store, limiter.charge("key", 1));
        assertThat(first.decisions().each()).containsExactly(Decision.allowed(1, 0, minute));
        assertThat(first.renewEvery()).isEqualTo(Duration.ofSeconds(20));
        assertThat(first.holds()).matches("[A-Za-z0-9_-]+");
        time.advance(Duration.ofSeconds(10));
        assertThat(enter(store, limiter.charge("key", 1)).decisions().each())
                .containsExactly(Decision.allowed(0, 0, minute));
        EnteredCharges denied = enter(store, limiter.charge("key", 1));
        assertThat(denied.decisions().each()).containsExactly(Decision.denied(0, minute - 10_000_000, minute));
        assertThat(denied.holds()).isNull();
        assertThat(enter(store, limiter.charge("other", 1)).decisions().allowed())
                .as("another key")
                .isTrue();
    }

    @Test
    default void release_givesBackOnce() {
        PolicyStore store = newStore(new ManualTime());
        RateLimiter limiter = store.limiter("limiter", Limit.parse("concurrency 2"));
        String first = holds(enter(store, limiter.charge("key", 1)));
        enter(store, limiter.charge("key", 1));
        Stages.get(store.releaseAsync(first));
        assertThat(limiter.peek("key").remaining()).isEqualTo(1);
        assertEnded(store, first);
        assertThat(limiter.peek("key").remaining()).as("only once").isEqualTo(1);
    }

    @Test
    default void hold_neverRenewed_lapsesAtExactlyItsEnd() {
        ManualTime time = new ManualTime();
        PolicyStore store = newStore(time);
        RateLimiter limiter = store.limiter("limiter", Limit.parse("concurrency 1 hold 30s"));
        String holds = holds(enter(store, limiter.charge("key", 1)));
        time.advance(Duration.ofSeconds(30).minusNanos(1000));
        assertThat(limiter.peek("key", 1).retryAfterMicros()).isEqualTo(1);
        time.advanceMicros(1);
        assertThat(limiter.peek("key")).isEqualTo(Decision.allowed(1, 0, 0));
        assertEnded(store, holds);
        enter(store, limiter.charge("key", 1));
        assertEnded(store, holds);
        assertThat(limiter.peek("key").remaining()).as("the other is held").isZero();
    }

    @Test
    default void renew_atTheLastMicrosecond_holdsForTheWholeTimeAgain() {
        ManualTime time = new ManualTime();
        PolicyStore store = newStore(time);
        RateLimiter limiter = store.limiter("limiter", Limit.parse("concurrency 2"));
        String first = holds(enter(store, limiter.charge("key", 1)));
        time.advance(HOLD.minusNanos(1000));
        String second = holds(enter(store, limiter.charge("key", 1)));
        Stages.get(store.renewAsync(first));
        time.advance(HOLD.minusNanos(1000));
        assertThat(limiter.peek("key").remaining()).isZero();
        Stages.get(store.renewAsync(second));
        time.advanceMicros(1);
        assertThat(limiter.peek("key").remaining()).as("the first has lapsed").isEqualTo(1);
        assertEnded(store, first);
        Stages.get(store.releaseAsync(second));
    }

    @Test
    default void enter_manyPermits_holdsOne() {
        PolicyStore store = newStore(new ManualTime());
        RateLimiter limiter = store.limiter("limiter", Limit.parse("concurrency 2"));
        assertThat(enter(store, limiter.charge("key", 500)).decisions().allowed())
                .isTrue();
        assertThat(limiter.peek("key", 500).allowed()).isTrue();
        assertThat(limiter.peek("key").remaining()).isEqualTo(1);
    }

    @Test
    default void enter_noPermits_holdsNothing() {
        PolicyStore store = newStore(new ManualTime());
        RateLimiter limiter = store.limiter("limiter", Limit.parse("concurrency 1"));
        EnteredCharges looked = enter(store, limiter.charge("key", 0));
        assertThat(looked.decisions().allowed()).isTrue();
        assertThat(looked.holds()).isNull();
        assertThat(looked.renewEvery()).isZero();
        enter(store, limiter.charge("key", 1));
        assertThat(enter(store, limiter.charge("key", 0)).decisions().allowed())
                .as("all are held, but that is no debt")
                .isTrue();
    }

    @Test
    default void enter_twiceOnTheSameKey_holdsTwo() {
        PolicyStore store = newStore(new ManualTime());
        RateLimiter limiter = store.limiter("limiter", Limit.parse("concurrency 3"));
        String holds = holds(enter(store, limiter.charge("key", 1), limiter.charge("key", 4)));
        assertThat(limiter.peek("key").remaining()).isEqualTo(1);
        assertThat(enter(store, limiter.charge("key", 1), limiter.charge("key", 1))
                        .decisions()
                        .allowed())
                .isFalse();
        Stages.get(store.releaseAsync(holds));
        assertThat(limiter.peek("key").remaining()).isEqualTo(3);
    }

    @Test
    default void enter_withRates_takesAllOrNothing() {
        PolicyStore store = newStore(new ManualTime());
        RateLimiter rate = store.limiter("rate", Limit.parse("fixed-window 10/d"));
        RateLimiter tenant = store.limiter("tenant", Limit.parse("concurrency 5"));
        RateLimiter all = store.limiter("all", Limit.parse("concurrency 1 hold 30s"));
        EnteredCharges entered = enter(store, rate.charge("acme", 3), tenant.charge("acme", 3), all.charge("", 3));
        assertThat(entered.decisions().each()).extracting(Decision::remaining).containsExactly(7L, 4L, 0L);
        assertThat(entered.renewEvery()).as("of the shortest hold").isEqualTo(Duration.ofSeconds(10));
        EnteredCharges denied = enter(store, rate.charge("acme", 3), tenant.charge("acme", 3), all.charge("", 3));
        assertThat(denied.decisions().each()).extracting(Decision::allowed).containsExactly(true, true, false);
        assertThat(denied.decisions().each()).extracting(Decision::remaining).containsExactly(7L, 4L, 0L);
        Stages.get(store.releaseAsync(holds(entered)));
        assertThat(rate.peek("acme").remaining()).as("rates stay charged").isEqualTo(7);
        assertThat(tenant.peek("acme").remaining()).isEqualTo(5);
        assertThat(all.peek("").remaining()).isEqualTo(1);
    }

    @Test
    default void enter_onlyRates_holdsNothing() {
        PolicyStore store = newStore(new ManualTime());
        RateLimiter rate = store.limiter("rate", Limit.parse("fixed-window 10/d"));
        EnteredCharges entered = enter(store, rate.charge("acme", 3));
        assertThat(entered.decisions().allowed()).isTrue();
        assertThat(entered.holds()).isNull();
        assertThat(rate.peek("acme").remaining()).isEqualTo(7);
    }

    @Test
    default void renew_oneHasLapsed_renewsNone() {
        ManualTime time = new ManualTime();
        PolicyStore store = newStore(time);
        RateLimiter slow = store.limiter("slow", Limit.parse("concurrency 1"));
        RateLimiter quick = store.limiter("quick", Limit.parse("concurrency 1 hold 10s"));
        String holds = holds(enter(store, slow.charge("key", 1), quick.charge("key", 1)));
        time.advance(Duration.ofSeconds(10));
        assertThatThrownBy(() -> Stages.get(store.renewAsync(holds))).isInstanceOf(HoldEndedException.class);
        assertThat(slow.peek("key").resetAfter()).isEqualTo(Duration.ofSeconds(50));
        Stages.get(store.releaseAsync(holds));
        assertThat(slow.peek("key").remaining())
                .as("what is left is given back")
                .isEqualTo(1);
    }

    @Test
    default void enter_keptPermits_areLeft() {
        PolicyStore store = newStore(new ManualTime());
        RateLimiter limiter = store.limiter("limiter", Limit.parse("concurrency 3"));
        PolicyCharge ordinary = PolicyCharge.of(limiter.charge("key", 1)).keeping(2);
        assertThat(enter(store, ordinary).decisions().each())
                .containsExactly(Decision.allowed(0, 0, HOLD.toNanos() / 1000));
        assertThat(enter(store, ordinary).decisions().each())
                .containsExactly(Decision.denied(0, HOLD.toNanos() / 1000, HOLD.toNanos() / 1000));
        assertThat(enter(store, limiter.charge("key", 1)).decisions().allowed()).isTrue();
        PolicyCharge never = ordinary.keeping(3);
        assertThat(enter(store, never).decisions().each().get(0).never()).isTrue();
    }

    @Test
    default void enter_inShadow_neverDenies() {
        PolicyStore store = newStore(new ManualTime());
        RateLimiter limiter = store.limiter("limiter", Limit.parse("concurrency 1"));
        RateLimiter rate = store.limiter("rate", Limit.parse("fixed-window 2/d"));
        PolicyCharge shadow = PolicyCharge.of(limiter.charge("key", 1)).inShadow();
        String holds = holds(enter(store, rate.charge("key", 1), shadow));
        EnteredCharges second = enter(store, rate.charge("key", 1), shadow);
        assertThat(second.decisions().allowed()).isTrue();
        assertThat(second.decisions().each().get(1).allowed()).isFalse();
        assertThat(second.holds()).as("the shadow denied").isNull();
        Stages.get(store.releaseAsync(holds));
        assertThat(enter(store, rate.charge("key", 1), shadow).holds())
                .as("the request is denied")
                .isNull();
        assertThat(limiter.peek("key").remaining()).isEqualTo(1);
    }

    @Test
    default void reset_endsTheHolds() {
        PolicyStore store = newStore(new ManualTime());
        RateLimiter limiter = store.limiter("limiter", Limit.parse("concurrency 1"));
        String holds = holds(enter(store, limiter.charge("key", 1)));
        limiter.reset("key");
        assertEnded(store, holds);
        assertThat(limiter.peek("key").remaining()).isEqualTo(1);
    }

    @Test
    default void decide_withPermits_isRefused() {
        PolicyStore store = newStore(new ManualTime());
        RateLimiter limiter = store.limiter("limiter", Limit.parse("concurrency 1"));
        List<Charge> charges = List.of(limiter.charge("key", 1));
        assertThatThrownBy(() -> store.decide(charges))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("limiter \"limiter\"")
                .hasMessageContaining("concurrency 1")
                .hasMessageContaining("enter");
        assertThatThrownBy(() -> Stages.get(store.decideAsync(charges))).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> Stages.get(store.reserveAsync(charges, HOLD)))
                .isInstanceOf(IllegalStateException.class);
        assertThat(store.decide(List.of(limiter.charge("key", 0))).allowed()).isTrue();
        assertThat(limiter.peek("key").resetAfter()).as("nothing is held").isZero();
    }

    @Test
    default void release_noSuchText_isRefused() {
        PolicyStore store = newStore(new ManualTime());
        for (String text : List.of("", "x", "{}", "AAAA", "not holds", "_".repeat(40))) {
            assertThatThrownBy(() -> Stages.get(store.releaseAsync(text)))
                    .as("release \"%s\"", text)
                    .isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> Stages.get(store.renewAsync(text)))
                    .as("renew \"%s\"", text)
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }

    /** The lengths of the keys let the last character have bits that mean nothing. */
    @Test
    default void release_textWithAnotherLastCharacter_givesNothingBack() {
        PolicyStore store = newStore(new ManualTime());
        RateLimiter limiter = store.limiter("limiter", Limit.parse("concurrency 1"));
        for (String key : List.of("k", "kk", "kkk")) {
            String holds = holds(enter(store, limiter.charge(key, 1)));
            char last = holds.charAt(holds.length() - 1);
            for (char other : "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".toCharArray()) {
                String changed = holds.substring(0, holds.length() - 1) + other;
                if (other != last) {
                    assertThatThrownBy(() -> Stages.get(store.releaseAsync(changed)))
                            .as("%s instead of %s", changed, holds)
                            .isInstanceOfAny(IllegalArgumentException.class, HoldEndedException.class);
                }
            }
            Stages.get(store.releaseAsync(holds));
        }
    }

    @Test
    default void enter_keysOfAnyText_areNamedByTheirHolds() {
        PolicyStore store = newStore(new ManualTime());
        RateLimiter limiter = store.limiter("\u00e4 limiter", Limit.parse("concurrency 1"));
        for (String key : List.of("", "\u20ac{}:", "k".repeat(1000))) {
            Stages.get(store.releaseAsync(holds(enter(store, limiter.charge(key, 1)))));
            assertThat(limiter.peek(key).remaining()).as(key).isEqualTo(1);
        }
    }
}
