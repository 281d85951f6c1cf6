package io.sluice.server.decide;

import io.sluice.policy.PolicyDecision;
import java.util.Map;

/** Gets each decision on a request. Called on event loops, so it must be fast and must not block. */
@FunctionalInterface
public interface DecisionListener {
    DecisionListener NONE = (attributes, permits, decision) -> {};

    void decided(Map<String, String> attributes, long permits, PolicyDecision decision);
}
