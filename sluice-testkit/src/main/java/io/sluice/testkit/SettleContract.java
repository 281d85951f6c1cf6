package io.sluice.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.Charge;
import io.sluice.Limit;
import io.sluice.RateLimiter;
import io.sluice.Reservation;
import io.sluice.ReservationEndedException;
import io.sluice.spi.PolicyCharge;
import io.sluice.spi.PolicyStore;
import io.sluice.spi.ReservedCharges;
import io.sluice.spi.SettledCharge;
import io.sluice.spi.Taking;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Reservations of an estimate that are settled with what was really used. */
interface SettleContract extends StoreUnderTest {
    Duration MINUTE = Duration.ofMinutes(1);

    private static <T> T now(CompletionStage<T> stage) {
        try {
            return stage.toCompletableFuture().join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof RuntimeException cause ? cause : e;
        }
    }

    private static String id(ReservedCharges reserved) {
        return Objects.requireNonNull(reserved.id());
    }

    @Test
    default void settle_withLess_givesTheRestBack() {
        PolicyStore store = newStore(new ManualTime());
        RateLimiter tenant = store.limiter("tenant", Limit.parse("fixed-window 100/d"));
        RateLimiter all = store.limiter("all", Limit.parse("1000/d burst 1000"));
        ReservedCharges reserved =
                now(store.reserveAsync(List.of(tenant.charge("acme", 60), all.charge("", 60)), MINUTE));
        assertThat(tenant.peek("acme").remaining()).isEqualTo(40);
        List<SettledCharge> settled = now(store.settleAsync(id(reserved), 25));
        assertThat(settled).extracting(SettledCharge::limiter).containsExactly("tenant", "all");
        assertThat(settled).extracting(each -> each.decision().remaining()).containsExactly(75L, 975L);
        assertThat(tenant.peek("acme").remaining()).isEqualTo(75);
    }

    @Test
    default void settle_withMore_chargesTheRestByForce() {
        PolicyStore store = newStore(new ManualTime());
        RateLimiter tenant = store.limiter("tenant", Limit.parse("fixed-window 100/d"));
        ReservedCharges reserved = now(store.reserveAsync(List.of(tenant.charge("acme", 60)), MINUTE));
        List<SettledCharge> settled = now(store.settleAsync(id(reserved), 130));
        assertThat(settled.get(0).decision().allowed()).as("30 in debt").isFalse();
        tenant.refund("acme", 29);
        assertThat(tenant.peek("acme", 0).allowed()).isFalse();
        tenant.refund("acme", 1);
        assertThat(tenant.peek("acme", 0).allowed()).isTrue();
    }

    @Test
    default void settle_again_changesNothing() {
        PolicyStore store = newStore(new ManualTime());
        RateLimiter tenant = store.limiter("tenant", Limit.parse("fixed-window 100/d"));
        String id = id(now(store.reserveAsync(List.of(tenant.charge("acme", 60)), MINUTE)));
        now(store.settleAsync(id, 50));
        assertThatThrownBy(() -> now(store.settleAsync(id, 10))).isInstanceOf(ReservationEndedException.class);
        assertThat(tenant.peek("acme").remaining()).isEqualTo(50);
    }

    @Test
    default void settle_afterItsTime_changesNothing() {
        ManualTime time = new ManualTime();
        PolicyStore store = newStore(time);
        RateLimiter tenant = store.limiter("tenant", Limit.parse("fixed-window 100/d from-first"));
        String id = id(now(store.reserveAsync(List.of(tenant.charge("acme", 60)), MINUTE)));
        String other = id(now(store.reserveAsync(List.of(tenant.charge("acme", 10)), MINUTE)));
        time.advanceMicros(60_000_000 - 1);
        now(store.settleAsync(other, 5));
        time.advanceMicros(1);
        assertThatThrownBy(() -> now(store.settleAsync(id, 10))).isInstanceOf(ReservationEndedException.class);
        assertThat(tenant.peek("acme").remaining()).isEqualTo(35);
    }

    @Test
    default void settle_textThatIsNoId_isRefused() {
        PolicyStore store = newStore(new ManualTime());
        for (String text : List.of("", "x", "not an id", "AAAA", "a".repeat(100), "\u00e9".repeat(22))) {
            assertThatThrownBy(() -> now(store.settleAsync(text, 1)))
                    .as(text)
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }

    /** The lengths of the keys let the last character have bits that mean nothing. */
    @Test
    default void settle_idWithAnotherLastCharacter_spendsNothing() {
        PolicyStore store = newStore(new ManualTime());
        RateLimiter tenant = store.limiter("tenant", Limit.parse("fixed-window 100/d"));
        for (String key : List.of("k", "kk", "kkk")) {
            String id = id(now(store.reserveAsync(List.of(tenant.charge(key, 60)), MINUTE)));
            char last = id.charAt(id.length() - 1);
            for (char other : "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".toCharArray()) {
                String changed = id.substring(0, id.length() - 1) + other;
                if (other != last) {
                    assertThatThrownBy(() -> now(store.settleAsync(changed, 1)))
                            .as("%s instead of %s", changed, id)
                            .isInstanceOfAny(IllegalArgumentException.class, ReservationEndedException.class);
                }
            }
            now(store.settleAsync(id, 25));
            assertThat(tenant.peek(key).remaining()).isEqualTo(75);
        }
    }

    @Test
    default void settle_negative_isRefusedAndSpendsNothing() {
        PolicyStore store = newStore(new ManualTime());
        RateLimiter tenant = store.limiter("tenant", Limit.parse("fixed-window 100/d"));
        String id = id(now(store.reserveAsync(List.of(tenant.charge("acme", 60)), MINUTE)));
        assertThatThrownBy(() -> now(store.settleAsync(id, -1))).isInstanceOf(IllegalArgumentException.class);
        now(store.settleAsync(id, 1));
        assertThat(tenant.peek("acme").remaining()).isEqualTo(99);
    }

    @Test
    default void reserve_denied_takesNothingAndStartsTheLockout() {
        ManualTime time = new ManualTime();
        PolicyStore store = newStore(time);
        RateLimiter tenant = store.limiter("tenant", Limit.parse("fixed-window 100/d lockout 5m"));
        RateLimiter always = store.limiter("always", Limit.parse("fixed-window 1000/d"));
        Charge counted = PolicyCharge.of(always.charge("", 101)).taking(Taking.WITH_REQUEST);
        ReservedCharges reserved = now(store.reserveAsync(List.of(tenant.charge("acme", 101), counted), MINUTE));
        assertThat(reserved.decisions().allowed()).isFalse();
        assertThat(reserved.id()).isNull();
        assertThat(always.peek("").remaining()).isEqualTo(1000);
        assertThat(tenant.peek("acme").allowed()).as("locked").isFalse();
    }

    @Test
    default void reserve_shadowThatDenies_isTakenOnlyIfItIsCharged() {
        PolicyStore store = newStore(new ManualTime());
        RateLimiter tenant = store.limiter("tenant", Limit.parse("fixed-window 100/d"));
        RateLimiter shadow = store.limiter("shadow", Limit.parse("fixed-window 50/d"));
        RateLimiter always = store.limiter("always", Limit.parse("fixed-window 50/d"));
        List<Charge> charges = List.of(
                tenant.charge("acme", 60),
                PolicyCharge.of(shadow.charge("acme", 60)).inShadow(),
                PolicyCharge.of(always.charge("acme", 60)).inShadow().taking(Taking.WITH_REQUEST));
        String id = id(now(store.reserveAsync(charges, MINUTE)));
        assertThat(shadow.peek("acme").remaining()).isEqualTo(50);
        assertThat(always.peek("acme", 0).allowed()).as("in debt").isFalse();
        now(store.settleAsync(id, 20));
        assertThat(tenant.peek("acme").remaining()).isEqualTo(80);
        assertThat(shadow.peek("acme").remaining()).isEqualTo(50);
        assertThat(always.peek("acme").remaining()).isEqualTo(30);
    }

    @Test
    default void reserve_nothing_isSettledWithAll() {
        PolicyStore store = newStore(new ManualTime());
        RateLimiter tenant = store.limiter("tenant", Limit.parse("sliding-log 100/d"));
        String id = id(now(store.reserveAsync(List.of(tenant.charge("acme", 0)), MINUTE)));
        now(store.settleAsync(id, 30));
        assertThat(tenant.peek("acme").remaining()).isEqualTo(70);
    }

    @Test
    default void settle_log_givesBackToItsOwnEntry() {
        ManualTime time = new ManualTime();
        PolicyStore store = newStore(time);
        RateLimiter tenant = store.limiter("tenant", Limit.parse("sliding-log 100 per 1m"));
        String id = id(now(store.reserveAsync(List.of(tenant.charge("acme", 60)), MINUTE)));
        time.advance(Duration.ofSeconds(30));
        tenant.check("acme", 20);
        now(store.settleAsync(id, 10));
        assertThat(tenant.peek("acme").remaining()).isEqualTo(70);
        time.advance(Duration.ofSeconds(30));
        assertThat(tenant.peek("acme").remaining())
                .as("only the 10 have expired")
                .isEqualTo(80);
    }

    /** The key of the estimate and the key of the true cost have the same past, and then the same state. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "100 per 7s",
                "100 per 7s refill interval",
                "leaky-bucket 100 per 7s",
                "fixed-window 100 per 7s",
                "fixed-window 100 per 7s from-first",
                "fixed-window 100 per day zone Asia/Kolkata",
                "sliding-log 100 per 7s",
                "sliding-counter 100 per 7s",
                "warm-up 100 per 7s over 7s",
                "warm-up 3/s over 40s"
            })
    default void settle_withLess_isAsIfOnlyThatWasTaken(String limit) {
        ManualTime time = new ManualTime();
        PolicyStore store = newStore(time);
        RateLimiter limiter = store.limiter("limiter", Limit.parse(limit));
        for (long before : new long[] {0, 1, 30, 90}) {
            for (long estimate : new long[] {1, 9, 60}) {
                for (long actual = 0; actual <= estimate; actual += 1 + estimate / 4) {
                    String as = before + ", then " + estimate + ", but " + actual;
                    limiter.check("estimated " + as, before);
                    limiter.check("known " + as, before);
                    time.advanceMicros(limiter.peek("known " + as, estimate).retryAfterMicros());
                    String id =
                            id(now(store.reserveAsync(List.of(limiter.charge("estimated " + as, estimate)), MINUTE)));
                    now(store.settleAsync(id, actual));
                    limiter.check("known " + as, actual);
                    assertThat(limiter.peek("estimated " + as)).as(as).isEqualTo(limiter.peek("known " + as));
                    time.advanceMicros(1_234_567);
                    assertThat(limiter.peek("estimated " + as)).as(as).isEqualTo(limiter.peek("known " + as));
                }
            }
        }
    }

    /** Warm, the 50 cost 5 s, and the 20 after them 2 s. Of the 50, 10 were used. Nothing becomes cold by that. */
    @Test
    default void settle_warmUp_othersCameSince_keepsTheirCost() {
        ManualTime time = new ManualTime();
        PolicyStore store = newStore(time);
        RateLimiter limiter = store.limiter("limiter", Limit.parse("warm-up 10/s over 10s"));
        limiter.check("acme", 100);
        time.advanceMicros(limiter.peek("acme").retryAfterMicros());
        String id = id(now(store.reserveAsync(List.of(limiter.charge("acme", 50)), MINUTE)));
        limiter.penalize("acme", 20);
        assertThat(limiter.peek("acme").retryAfter()).isEqualTo(Duration.ofSeconds(7));
        now(store.settleAsync(id, 10));
        assertThat(limiter.peek("acme").retryAfter()).isEqualTo(Duration.ofSeconds(3));
        assertThat(limiter.peek("acme").resetAfter()).isEqualTo(Duration.ofSeconds(13));
    }

    @Test
    default void settle_afterAnUpdate_keepsTheDifference() {
        PolicyStore store = newStore(new ManualTime());
        RateLimiter tenant = store.limiter("tenant", Limit.parse("fixed-window 100/d"));
        String id = id(now(store.reserveAsync(List.of(tenant.charge("acme", 60)), MINUTE)));
        tenant.update(Limit.parse("fixed-window 200/d"));
        now(store.settleAsync(id, 10));
        assertThat(tenant.peek("acme").remaining()).isEqualTo(190);
    }

    /** Several limits on one key are separated by commas. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "100 per 7s",
                "100 per 7s refill interval",
                "leaky-bucket 100 per 7s",
                "fixed-window 100 per 7s",
                "fixed-window 100 per 7s from-first",
                "fixed-window 100 per day zone Asia/Kolkata",
                "sliding-log 100 per 7s",
                "sliding-counter 100 per 7s",
                "warm-up 100 per 7s over 7s",
                "100 per 7s lockout 5s escalate 2",
                "100 per 7s, sliding-log 200 per 50s, fixed-window 1000 per month, sliding-counter 1000 per 1h",
                "warm-up 100 per 7s over 7s, 1000 per 1h"
            })
    default void settle_reservationOfALimiter_isAsIfOnlyThatWasTaken(String limits) {
        ManualTime time = new ManualTime();
        Limit[] each = Arrays.stream(limits.split(", ")).map(Limit::parse).toArray(Limit[]::new);
        RateLimiter limiter = newStore(time).limiter("limiter", each[0], Arrays.copyOfRange(each, 1, each.length));
        for (long before : new long[] {0, 30}) {
            for (long actual : new long[] {0, 1, 20, 59, 60, 61, 100, 250}) {
                String as = before + ", then 60, but " + actual;
                limiter.check("estimated " + as, before);
                limiter.check("known " + as, before);
                time.advanceMicros(limiter.peek("known " + as, 60).retryAfterMicros());
                Reservation reservation = limiter.reserve("estimated " + as, 60);
                assertThat(reservation.granted()).as(as).isTrue();
                Reservation known = limiter.reserve("known " + as, Math.min(60, actual));
                assertThat(known.granted()).as(as).isTrue();
                if (actual % 2 == 0) {
                    reservation.settle(actual);
                } else {
                    now(reservation.settleAsync(actual));
                }
                limiter.penalize("known " + as, Math.max(0, actual - 60));
                assertThat(limiter.peek("estimated " + as, 0)).as(as).isEqualTo(limiter.peek("known " + as, 0));
                time.advanceMicros(1_234_567);
                assertThat(limiter.peek("estimated " + as, 0)).as(as).isEqualTo(limiter.peek("known " + as, 0));
                assertThatThrownBy(() -> reservation.settle(actual)).isInstanceOf(ReservationEndedException.class);
                now(reservation.cancelAsync());
                assertThat(limiter.peek("estimated " + as, 0)).as(as).isEqualTo(limiter.peek("known " + as, 0));
            }
        }
    }

    @Test
    default void settle_reservationOfALimiter_onlyOnce() {
        RateLimiter limiter = newLimiter(new ManualTime(), "sliding-counter 100 per 1h slots 60");
        Reservation reservation = limiter.reserve("key", 60);
        reservation.settle(15);
        assertThat(limiter.peek("key").remaining()).isEqualTo(85);
        assertThatThrownBy(() -> reservation.settle(1)).isInstanceOf(ReservationEndedException.class);
        reservation.cancel();
        assertThat(limiter.peek("key").remaining()).isEqualTo(85);
        Reservation more = limiter.reserve("key", 5);
        more.settle(50);
        assertThat(limiter.peek("key").remaining()).isEqualTo(35);
    }
}
