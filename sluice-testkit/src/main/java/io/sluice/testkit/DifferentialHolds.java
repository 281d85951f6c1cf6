package io.sluice.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.Decision;
import io.sluice.HoldEndedException;
import io.sluice.RateLimiter;
import io.sluice.TimeSource;
import io.sluice.spi.EnteredCharges;
import io.sluice.spi.PolicyStore;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletionStage;

/** The permits that a random trace holds, on the store and in the model. */
final class DifferentialHolds {
    private static final int MOST = 60;

    private final Random random;
    private final PolicyStore store;
    private final RateLimiter limiter;
    private final ReferenceModel model;
    private final TimeSource time;

    /** Some of them have ended. */
    private final List<Pair> held = new ArrayList<>();

    private record Pair(String holds, ModelReservation modelled) {}

    DifferentialHolds(Random random, PolicyStore store, RateLimiter limiter, ReferenceModel model, TimeSource time) {
        this.random = random;
        this.store = store;
        this.limiter = limiter;
        this.model = model;
        this.time = time;
    }

    /** Enters, and returns the decision. */
    Decision enter(String key, long permits) {
        Map<ModelCharge, ModelReservation> modelled = new HashMap<>();
        Decision expected = ReferenceModel.enter(time.micros(), List.of(new ModelCharge(model, key, permits)), modelled)
                .get(0);
        EnteredCharges entered = Stages.get(store.enterAsync(List.of(limiter.charge(key, permits))));
        assertThat(entered.decisions().each())
                .as("enter(%s, %s) at %s", key, permits, time.micros())
                .containsExactly(expected);
        boolean holds = expected.allowed() && permits > 0 && limiter.limitsConcurrency();
        assertThat(entered.holds() != null).as("holds").isEqualTo(holds);
        if (entered.holds() != null) {
            held.add(new Pair(entered.holds(), modelled.values().iterator().next()));
            if (held.size() > MOST) {
                held.remove(0);
            }
        }
        return expected;
    }

    /** Renews some permit. Returns whether it was still held. */
    boolean renew() {
        if (held.isEmpty()) {
            return false;
        }
        Pair any = held.get(random.nextInt(held.size()));
        boolean expected = model.renew(any.modelled(), time.micros());
        assertThat(ended(store.renewAsync(any.holds())))
                .as("renew %s at %s has ended", any.modelled(), time.micros())
                .isEqualTo(!expected);
        return expected;
    }

    /** Gives some permit back. Returns whether it was still held. */
    boolean leave() {
        if (held.isEmpty()) {
            return false;
        }
        Pair any = held.get(random.nextInt(held.size()));
        boolean expected = model.leave(any.modelled(), time.micros());
        assertThat(ended(store.releaseAsync(any.holds())))
                .as("leave %s at %s has ended", any.modelled(), time.micros())
                .isEqualTo(!expected);
        if (random.nextInt(3) > 0) {
            held.remove(any);
        }
        return expected;
    }

    private static boolean ended(CompletionStage<Void> stage) {
        try {
            Stages.get(stage);
            return false;
        } catch (HoldEndedException e) {
            return true;
        }
    }
}
