package io.sluice.spring.actuate;

import io.sluice.policy.Mode;
import io.sluice.policy.Policy;
import io.sluice.policy.PolicyEngine;
import io.sluice.policy.Scope;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/*
 * Why not DOWN: Sluice answers without Redis, as each policy says. A replica that is taken out of service because of that would
 * turn a small loss of exactness into an outage. Spring Boot ignores statuses that it does not know when it combines statuses, and
 * answers 200 for them.
 */
/** The health of the store, for both lines of Spring Boot. */
final class StoreHealth {
    /** The status while decisions are made without the store. */
    static final String DEGRADED = "DEGRADED";

    private final PolicyEngine engine;
    private final StoreStatus store;

    StoreHealth(PolicyEngine engine, StoreStatus store) {
        this.engine = engine;
        this.store = store;
    }

    /** A code of a status, and the details. */
    record Report(String status, Map<String, Object> details) {}

    /** The health now. */
    Report report() {
        Map<String, Object> details = new LinkedHashMap<>();
        details.put("store", store.kind());
        if (!store.canFail()) {
            return new Report("UP", details);
        }
        Map<String, Object> fields = store.fields();
        fields.remove("kind");
        details.putAll(fields);
        details.put("on-store-failure", policiesByAnswer());
        return new Report(Boolean.TRUE.equals(details.get("available")) ? "UP" : DEGRADED, details);
    }

    /** The names of the shared policies, by what they do without the store. */
    private Map<String, List<String>> policiesByAnswer() {
        Map<String, List<String>> policies = new TreeMap<>();
        for (Policy policy : engine.policies().policies()) {
            if (policy.mode() != Mode.OFF && policy.scope() == Scope.SHARED) {
                String answer = policy.onStoreFailure().name().toLowerCase(Locale.ROOT);
                policies.computeIfAbsent(answer, unused -> new ArrayList<>()).add(policy.name());
            }
        }
        return policies;
    }
}
