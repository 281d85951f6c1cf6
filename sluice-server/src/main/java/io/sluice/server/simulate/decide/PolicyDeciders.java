package io.sluice.server.simulate.decide;

import io.sluice.policy.Mode;
import io.sluice.policy.Policies;
import io.sluice.policy.PolicyDecision;
import io.sluice.policy.PolicyEngine;
import io.sluice.policy.Scope;
import io.sluice.server.simulate.trace.PolicyRequest;
import io.sluice.spi.PolicyStore;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;

/** A decider for each policy file. Files may share limiter names, so each file has its own store. */
public record PolicyDeciders(List<Policies> files) implements DeciderFactory<PolicyRequest, PolicyDecision> {
    @Override
    public int stores() {
        return files.size();
    }

    @Override
    public List<RequestDecider<PolicyRequest, PolicyDecision>> create(
            List<? extends PolicyStore> stores, TraceTime time) {
        List<RequestDecider<PolicyRequest, PolicyDecision>> deciders = new ArrayList<>(files.size());
        for (Policies file : files) {
            PolicyEngine engine = PolicyEngine.builder()
                    .policies(withoutAlerts(file))
                    .store(stores.get(deciders.size()))
                    .time(time)
                    .onlyReportedSignals()
                    .build();
            deciders.add(new PolicyDecider(engine, new TraceSignals(engine, time)));
        }
        return deciders;
    }

    /** Removes the alerts: recorded requests must not alert anybody. */
    private static Policies withoutAlerts(Policies file) {
        return new Policies(file.policies(), List.of(), List.of());
    }

    /** A request that uses several servers, or one server and this process, is decided in several steps. Others may come between. */
    @Override
    public boolean mayReorder(BooleanSupplier cluster) {
        return files.stream()
                        .flatMap(file -> file.policies().stream())
                        .anyMatch(policy -> policy.scope() == Scope.PROCESS && policy.mode() != Mode.OFF)
                || cluster.getAsBoolean();
    }

    private record PolicyDecider(PolicyEngine engine, TraceSignals signals)
            implements RequestDecider<PolicyRequest, PolicyDecision> {
        @Override
        public PolicyDecision decide(PolicyRequest request) {
            signals.report(request.signals());
            return engine.check(request.attributes(), request.permits());
        }

        @Override
        public CompletableFuture<PolicyDecision> decideAsync(PolicyRequest request) {
            signals.report(request.signals());
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
