package io.sluice.server.decide;

import io.sluice.policy.PolicyDecision;
import io.vertx.core.Future;
import java.util.Map;

/** Decides one request: {@link RequestDecider#check(Map, long)} or {@link RequestDecider#charge}. */
@FunctionalInterface
public interface Decide {
    Future<PolicyDecision> decide(Map<String, String> attributes, long permits);
}
