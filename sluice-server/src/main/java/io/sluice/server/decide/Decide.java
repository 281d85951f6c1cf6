package io.sluice.server.decide;

import io.sluice.policy.EnteredRequest;
import io.vertx.core.Future;
import java.util.Map;

/** Decides one request: {@link RequestDecider#enter} or {@link RequestDecider#charge}. */
@FunctionalInterface
public interface Decide {
    Future<EnteredRequest> decide(Map<String, String> attributes, long permits);
}
