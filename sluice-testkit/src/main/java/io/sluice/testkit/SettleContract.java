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
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

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

    @Test
    default void settle_afterAnUpdate_keepsTheDifference() {
        PolicyStore store = newStore(new ManualTime());
        RateLimiter tenant = store.limiter("tenant", Limit.parse("fixed-window 100/d"));
        String id = id(now(store.reserveAsync(List.of(tenant.charge("acme", 60)), MINUTE)));
        tenant.update(Limit.parse("fixed-window 200/d"));
        now(store.settleAsync(id, 10));
        assertThat(tenant.peek("acme").remaining()).isEqualTo(190);
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
