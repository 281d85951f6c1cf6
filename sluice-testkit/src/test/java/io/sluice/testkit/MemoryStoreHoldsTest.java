package io.sluice.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.CallLimiter;
import io.sluice.HoldEndedException;
import io.sluice.Limit;
import io.sluice.Permit;
import io.sluice.RateLimiter;
import io.sluice.memory.MemoryStore;
import io.sluice.spi.EnteredCharges;
import io.sluice.spi.TentativeDecision;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** What only the memory store does with permits that are held. */
class MemoryStoreHoldsTest {
    private final ManualTime time = new ManualTime();
    private final MemoryStore store = MemoryStore.builder().time(time).build();

    private static String holds(EnteredCharges entered) {
        return Objects.requireNonNull(entered.holds());
    }

    @Test
    void snapshot_keepsHoldsAndTheirNames() throws IOException {
        RateLimiter limiter = store.limiter("limiter", Limit.parse("concurrency 2"));
        String first = holds(Stages.get(store.enterAsync(List.of(limiter.charge("key", 1)))));
        time.advance(Duration.ofSeconds(15));
        String second = holds(Stages.get(store.enterAsync(List.of(limiter.charge("key", 1)))));
        ByteArrayOutputStream saved = new ByteArrayOutputStream();
        store.save(saved);
        time.advance(Duration.ofSeconds(10));
        MemoryStore restored = MemoryStore.builder().time(time).build();
        restored.restore(new ByteArrayInputStream(saved.toByteArray()));
        RateLimiter again = restored.limiter("limiter", Limit.parse("concurrency 2"));
        assertThat(again.peek("key", 1).retryAfter()).isEqualTo(Duration.ofSeconds(35));
        Stages.get(restored.renewAsync(first));
        Stages.get(restored.releaseAsync(second));
        assertThat(again.peek("key").remaining()).isEqualTo(1);
        assertThat(again.peek("key").resetAfter()).isEqualTo(Duration.ofMinutes(1));
    }

    @Test
    void tentativeEntry_cancelled_holdsNothing() {
        RateLimiter limiter = store.limiter("limiter", Limit.parse("concurrency 1"));
        RateLimiter rate = store.limiter("rate", Limit.parse("fixed-window 5/d lockout 1h"));
        TentativeDecision entered = store.enterTentatively(List.of(limiter.charge("key", 1), rate.charge("key", 2)));
        String holds = holds(entered.entered());
        assertThat(entered.entered().renewEvery()).isEqualTo(Duration.ofSeconds(20));
        assertThat(limiter.tryEnter("key")).isEmpty();
        entered.cancel();
        assertThat(limiter.peek("key").remaining()).isEqualTo(1);
        assertThat(rate.peek("key").remaining()).isEqualTo(5);
        assertThatThrownBy(() -> Stages.get(store.releaseAsync(holds))).isInstanceOf(HoldEndedException.class);
        TentativeDecision kept = store.enterTentatively(List.of(limiter.charge("key", 1)));
        kept.commit();
        kept.cancel();
        assertThat(limiter.peek("key").remaining()).isZero();
        Stages.get(store.releaseAsync(holds(kept.entered())));
    }

    @Test
    void entry_withALockingRate_leavesNothingTentative() {
        RateLimiter limiter = store.limiter("limiter", Limit.parse("concurrency 5"));
        RateLimiter rate = store.limiter("rate", Limit.parse("fixed-window 1/d lockout 1h"));
        Stages.get(store.enterAsync(List.of(limiter.charge("key", 1), rate.charge("key", 1))));
        Stages.get(store.enterAsync(List.of(limiter.charge("key", 1), rate.charge("key", 1))));
        assertThat(rate.peek("key").resetAfter()).as("locked out").isGreaterThanOrEqualTo(Duration.ofHours(1));
        assertThat(rate.peek("key").allowed()).isFalse();
    }

    @Test
    void callLimiter_holdsByTheLimitOfTheCall() {
        CallLimiter calls = store.callLimiter("calls");
        Limit two = Limit.parse("concurrency 2");
        String holds = holds(Stages.get(store.enterAsync(List.of(calls.charge("key", 1, two)))));
        assertThat(calls.peek("key", 0, two).remaining()).isEqualTo(1);
        assertThat(calls.peek("key", 0, Limit.parse("concurrency 1")).remaining())
                .isZero();
        assertThatThrownBy(() -> calls.check("key", 1, two))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("calls")
                .hasMessageContaining("enter");
        Stages.get(store.renewAsync(holds));
        Stages.get(store.releaseAsync(holds));
        assertThat(calls.peek("key", 0, two).remaining()).isEqualTo(2);
    }

    @Test
    void settle_afterAnUpdateToConcurrency_changesNothing() {
        RateLimiter limiter = store.limiter("limiter", Limit.parse("10/s"));
        String id = Objects.requireNonNull(
                Stages.get(store.reserveAsync(List.of(limiter.charge("key", 3)), Duration.ofMinutes(1)))
                        .id());
        limiter.update(Limit.parse("concurrency 2"));
        Stages.get(store.settleAsync(id, 9));
        assertThat(limiter.peek("key").remaining()).isEqualTo(2);
    }

    @Test
    void manyHolds_countByTheirMemory_untilTheyAreLeft() {
        MemoryStore small =
                MemoryStore.builder().time(time).maxBytes(720 * 1000).build();
        RateLimiter limiter = small.limiter("limiter", Limit.parse("concurrency 10000"));
        Deque<Permit> permits = new ArrayDeque<>();
        for (int i = 0; i < 1000; i++) {
            permits.add(limiter.tryEnter("key").orElseThrow());
        }
        assertThat(small.size()).as("one key of a thousand holds").isEqualTo(1);
        while (permits.size() > 1) {
            permits.poll().close();
        }
        assertThat(limiter.peek("key").remaining()).isEqualTo(9999);
        permits.remove().close();
        time.advance(Duration.ofMinutes(3));
        assertThat(small.size()).as("swept").isZero();
        assertThat(time.scheduled()).as("no timers are left").isZero();
    }

    @Test
    void otherKeys_areIndependent() {
        RateLimiter limiter = store.limiter("limiter", Limit.parse("concurrency 1"));
        try (Permit a = limiter.tryEnter("a").orElseThrow();
                Permit b = limiter.tryEnter("b").orElseThrow()) {
            assertThat(a.isHeld() && b.isHeld()).isTrue();
        }
        assertThat(limiter.peek("a").remaining()).isEqualTo(1);
    }
}
