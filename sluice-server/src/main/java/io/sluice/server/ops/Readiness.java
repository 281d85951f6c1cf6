package io.sluice.server.ops;

import io.sluice.OnFailure;
import io.sluice.policy.Mode;
import io.sluice.policy.Policies;
import io.sluice.policy.Policy;
import io.sluice.policy.Scope;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/*
 * Without its store a server still decides, by the on-store-failure of each policy. Another replica would do no better, so the
 * server stays ready. But if a policy would deny, a replica that reaches the store is better, so the server is not ready.
 */
/** Whether a server should receive requests. Thread-safe. */
public final class Readiness implements BooleanSupplier {
    private final BooleanSupplier storeReachable;
    private final Supplier<Policies> inForce;
    private volatile boolean stopping;

    public Readiness(BooleanSupplier storeReachable, Supplier<Policies> inForce) {
        this.storeReachable = storeReachable;
        this.inForce = inForce;
    }

    /** Makes the server not ready, for ever. */
    public void stop() {
        stopping = true;
    }

    public boolean isStopping() {
        return stopping;
    }

    public boolean isReady() {
        return !stopping && denying().isEmpty();
    }

    @Override
    public boolean getAsBoolean() {
        return isReady();
    }

    /** The names of the policies that deny every request because the store is not reachable. */
    public List<String> denying() {
        if (storeReachable.getAsBoolean()) {
            return List.of();
        }
        return inForce.get().policies().stream()
                .filter(Readiness::deniesWithoutStore)
                .map(Policy::name)
                .toList();
    }

    private static boolean deniesWithoutStore(Policy policy) {
        return policy.mode() == Mode.ENFORCE
                && policy.scope() == Scope.SHARED
                && policy.onStoreFailure() == OnFailure.DENY;
    }
}
