package io.sluice.cli.simulate.decide;

import io.sluice.TimeSource;
import io.sluice.cli.simulate.trace.PolicyRequest;
import io.sluice.policy.Mode;
import io.sluice.policy.Policies;
import io.sluice.policy.PolicyDecision;
import io.sluice.policy.PolicyEngine;
import io.sluice.policy.Scope;
import io.sluice.spi.PolicyStore;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;

/** Files of policies. Their limiters have the same names, so each file has a store of its own. */
public record PolicyDeciders(List<Policies> files) implements DeciderFactory<PolicyRequest, PolicyDecision> {
    @Override
    public int stores() {
        return files.size();
    }

    @Override
    public List<RequestDecider<PolicyRequest, PolicyDecision>> on(List<? extends PolicyStore> stores, TimeSource time) {
        List<RequestDecider<PolicyRequest, PolicyDecision>> judges = new ArrayList<>(files.size());
        for (Policies file : files) {
            judges.add(new ByPolicies(PolicyEngine.builder()
                    .policies(withoutAlerts(file))
                    .store(stores.get(judges.size()))
                    .time(time)
                    .build()));
        }
        return judges;
    }

    /** Nobody is to be woken by what happened long ago. */
    private static Policies withoutAlerts(Policies file) {
        return new Policies(file.policies(), List.of(), List.of());
    }

    /** A request on several servers, or on one and in this process too, is decided in steps, with others between them. */
    @Override
    public boolean mayOvertake(BooleanSupplier cluster) {
        return files.stream()
                        .flatMap(file -> file.policies().stream())
                        .anyMatch(policy -> policy.scope() == Scope.PROCESS && policy.mode() != Mode.OFF)
                || cluster.getAsBoolean();
    }

    private record ByPolicies(PolicyEngine engine) implements RequestDecider<PolicyRequest, PolicyDecision> {
        @Override
        public PolicyDecision decide(PolicyRequest request) {
            return engine.check(request.attributes(), request.permits());
        }

        @Override
        public CompletableFuture<PolicyDecision> decideLater(PolicyRequest request) {
            return engine.checkAsync(request.attributes(), request.permits()).toCompletableFuture();
        }

        @Override
        public boolean isDegraded(PolicyDecision decision) {
            return decision.degraded();
        }

        @Override
        public void close() {
            engine.close();
        }
    }
}
