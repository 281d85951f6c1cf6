package io.sluice.server.simulate.chart;

import io.sluice.memory.MemoryStore;
import io.sluice.policy.KeyStatus;
import io.sluice.policy.Policies;
import io.sluice.policy.PolicyDecision;
import io.sluice.policy.PolicyEngine;
import io.sluice.policy.PolicyResult;
import io.sluice.server.simulate.decide.TraceSignals;
import io.sluice.server.simulate.decide.TraceTime;
import io.sluice.server.simulate.trace.PolicyRequest;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Looks at keys under policies. */
final class PolicyProbe implements RemainingProbe<PolicyRequest> {
    private final TraceTime time = new TraceTime();
    private final MemoryStore store =
            MemoryStore.builder().time(time).maxKeys(Long.MAX_VALUE).build();
    private final PolicyEngine engine;
    private final TraceSignals signals;
    private final List<String> policies;

    /** The result that each key of a panel had last: it has the parts of the key, and the limit. */
    private final Map<String, PolicyResult> latest = new HashMap<>();

    PolicyProbe(Policies file, List<String> policies) {
        this.policies = policies;
        this.engine = PolicyEngine.builder()
                .policies(new Policies(file.policies(), List.of(), List.of()))
                .store(store)
                .time(time)
                .onlyReportedSignals()
                .build();
        this.signals = new TraceSignals(engine, time);
    }

    @Override
    public void at(long micros) {
        time.set(micros);
        signals.advance();
    }

    @Override
    public void decide(PolicyRequest request) {
        signals.report(request.signals());
        PolicyDecision decision = engine.check(request.attributes(), request.permits());
        for (PolicyResult result : decision.results()) {
            String id = id(result.policy(), PolicyKeys.text(result.key()));
            if (latest.containsKey(id) || latest.size() < policies.size() * ChartPanel.MOST_KEYS) {
                latest.put(id, result);
            }
        }
    }

    private static String id(String policy, String key) {
        return policy + '\n' + key;
    }

    @Override
    public long remaining(int panel, String key) {
        @Nullable PolicyResult result = latest.get(id(policies.get(panel), key));
        if (result == null) {
            return -1;
        }
        // On the memory store the answer is there at once.
        return engine.inspect(result.policy(), result.key()).toCompletableFuture().join().stream()
                .filter(status -> status.limit().equals(result.limit()))
                .mapToLong(PolicyProbe::left)
                .findFirst()
                .orElse(-1);
    }

    private static long left(KeyStatus status) {
        return status.state().remaining();
    }

    @Override
    public void close() {
        engine.close();
        store.close();
    }
}
