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
 * Without its store a server still answers, by each policy's on-store-failure. Another replica would do no better, so it
 * stays ready; unless it would deny: then it is worth looking for a replica that does reach the store.
 */
/** Whether a server should be sent requests. Thread-safe. */
public final class Readiness implements BooleanSupplier {
    private final BooleanSupplier storeReachable;
    private final Supplier<Policies> inForce;
    private volatile boolean stopping;

    public Readiness(BooleanSupplier storeReachable, Supplier<Policies> inForce) {
        this.storeReachable = storeReachable;
        this.inForce = inForce;
    }

    /** Not ready from now on. */
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

    /** The policies that deny everything, because the store cannot be reached. */
    public List<String> denying() {
        if (storeReachable.getAsBoolean()) {
            return List.of();
        }
        return inForce.get().policies().stream()
                .filter(Readiness::needsTheStore)
                .map(Policy::name)
                .toList();
    }

    private static boolean needsTheStore(Policy policy) {
        return policy.mode() == Mode.ENFORCE
                && policy.scope() == Scope.SHARED
                && policy.onStoreFailure() == OnFailure.DENY;
    }
}
