package io.sluice.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.Decision;
import io.sluice.Gate;
import io.sluice.Limit;
import io.sluice.Reservation;
import io.sluice.spi.PolicyStore;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The contract of gates: each verb decides for the key of the gate, and each form without a number is for one permit. */
interface GateContract extends StoreUnderTest {
    @Test
    default void gate_verbsForOnePermit_takeOne() throws Exception {
        PolicyStore store = newStore(new ManualTime());
        Gate gate = store.limiter("gate", Limit.parse("100/d")).forKey("key");
        gate.acquire();
        assertThat(gate.tryAcquire()).isTrue();
        assertThat(gate.tryAcquire(Duration.ofSeconds(1))).isTrue();
        assertThat(gate.check().remaining()).isEqualTo(96);
        assertThat(gate.reserve().granted()).isTrue();
        assertThat(gate.reserve(Duration.ZERO).granted()).isTrue();
        gate.penalize();
        assertThat(store.decide(List.of(gate.charge())).allowed()).isTrue();
        assertThat(gate.call(() -> gate.peek().remaining())).isEqualTo(91);
        assertThat(gate.call(Duration.ofSeconds(1), () -> gate.peek().remaining()))
                .isEqualTo(90);
        gate.refund();
        assertThat(gate.limiter().peek("key").remaining()).isEqualTo(91);
    }

    @Test
    default void gate_verbsForSeveralPermits_takeAsMany() throws Exception {
        PolicyStore store = newStore(new ManualTime());
        Gate gate = store.limiter("gate", Limit.parse("100/d")).forKey("key");
        gate.acquire(2);
        assertThat(gate.tryAcquire(3)).isTrue();
        assertThat(gate.tryAcquire(4, Duration.ofSeconds(1))).isTrue();
        assertThat(gate.check(5).remaining()).isEqualTo(86);
        assertThat(gate.reserve(6).granted()).isTrue();
        assertThat(gate.reserve(7, Duration.ZERO).granted()).isTrue();
        gate.penalize(8);
        assertThat(store.decide(List.of(gate.charge(9))).allowed()).isTrue();
        assertThat(gate.call(10, () -> gate.peek().remaining())).isEqualTo(46);
        assertThat(gate.call(11, Duration.ofSeconds(1), () -> gate.peek().remaining()))
                .isEqualTo(35);
        gate.refund(5);
        assertThat(gate.acquireUpTo(50)).isEqualTo(40);
        assertThat(gate.limiter().peek("key").remaining()).isZero();
    }

    @Test
    default void gate_asynchronousVerbsForOnePermit_takeOne() {
        Gate gate = newLimiter(new ManualTime(), "100/d").forKey("key");
        Stages.get(gate.acquireAsync());
        assertThat(Stages.get(gate.tryAcquireAsync())).isTrue();
        assertThat(Stages.get(gate.tryAcquireAsync(Duration.ofSeconds(1)))).isTrue();
        assertThat(Stages.get(gate.checkAsync()).remaining()).isEqualTo(96);
        assertThat(Stages.get(gate.reserveAsync()).granted()).isTrue();
        assertThat(Stages.get(gate.reserveAsync(Duration.ZERO)).granted()).isTrue();
        Stages.get(gate.penalizeAsync());
        assertThat(Stages.get(gate.peekAsync()).remaining()).isEqualTo(93);
        Stages.get(gate.refundAsync());
        assertThat(gate.limiter().peek("key").remaining()).isEqualTo(94);
    }

    @Test
    default void gate_asynchronousVerbsForSeveralPermits_takeAsMany() {
        Gate gate = newLimiter(new ManualTime(), "100/d").forKey("key");
        Stages.get(gate.acquireAsync(2));
        assertThat(Stages.get(gate.tryAcquireAsync(3))).isTrue();
        assertThat(Stages.get(gate.tryAcquireAsync(4, Duration.ofSeconds(1)))).isTrue();
        assertThat(Stages.get(gate.checkAsync(5)).remaining()).isEqualTo(86);
        assertThat(Stages.get(gate.reserveAsync(6)).granted()).isTrue();
        Reservation reservation = Stages.get(gate.reserveAsync(7, Duration.ZERO));
        assertThat(reservation.granted()).isTrue();
        Stages.get(gate.penalizeAsync(8));
        assertThat(Stages.get(gate.peekAsync(66)).allowed()).isFalse();
        Stages.get(reservation.cancelAsync());
        Stages.get(gate.refundAsync(1));
        assertThat(Stages.get(gate.acquireUpToAsync(80))).isEqualTo(73);
        Stages.get(gate.pauseAsync(Duration.ofHours(1)));
        assertThat(gate.peek(1).allowed()).isFalse();
        Stages.get(gate.resetAsync());
        assertThat(gate.limiter().peek("key").remaining()).isEqualTo(100);
    }

    @Test
    default void limiter_asynchronousVerbsForOnePermit_takeOne() {
        var limiter = newLimiter(new ManualTime(), "100/d");
        Stages.get(limiter.acquireAsync("key"));
        assertThat(Stages.get(limiter.tryAcquireAsync("key"))).isTrue();
        assertThat(Stages.get(limiter.tryAcquireAsync("key", Duration.ofSeconds(1))))
                .isTrue();
        assertThat(Stages.get(limiter.checkAsync("key")).remaining()).isEqualTo(96);
        assertThat(Stages.get(limiter.reserveAsync("key")).granted()).isTrue();
        assertThat(Stages.get(limiter.reserveAsync("key", Duration.ZERO)).granted())
                .isTrue();
        Stages.get(limiter.penalizeAsync("key"));
        Stages.get(limiter.refundAsync("key"));
        assertThat(Stages.get(limiter.peekAsync("key")).remaining()).isEqualTo(94);
    }

    @Test
    default void gateOfAStore_isTheLimiterOfThatNameForTheEmptyKey() {
        PolicyStore store = newStore(new ManualTime());
        Gate gate = store.gate("partner", Limit.parse("10/d"));
        assertThat(gate.tryAcquire(3)).isTrue();
        assertThat(gate.limiter().name()).isEqualTo("partner");
        assertThat(store.gate("partner", Limit.parse("10/d")).peek().remaining())
                .isEqualTo(7);
        Decision same = store.limiter("partner", Limit.parse("10/d")).peek("");
        assertThat(same.remaining()).isEqualTo(7);
    }
}
