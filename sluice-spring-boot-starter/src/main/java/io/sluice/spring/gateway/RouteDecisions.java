package io.sluice.spring.gateway;

import io.sluice.TimeSource;
import io.sluice.policy.Policy;
import io.sluice.policy.PolicyDecision;
import io.sluice.policy.PolicyEngine;
import io.sluice.policy.PolicySelection;
import io.sluice.spring.DecisionObserver;
import io.sluice.spring.web.RateLimitResponse;
import io.sluice.spring.web.ReactiveDecision;
import java.util.LinkedHashMap;
import java.util.Map;
import org.springframework.cloud.gateway.filter.ratelimit.RateLimiter.Response;
import reactor.core.publisher.Mono;

/** Decides for the gateway's {@code RequestRateLimiter} filter. Thread-safe. */
final class RouteDecisions {
    private final PolicyEngine engine;
    private final RoutePolicies policies;
    private final DecisionObserver observer;
    private final RateLimitResponse response;
    private final TimeSource time;

    RouteDecisions(
            PolicyEngine engine,
            RoutePolicies policies,
            DecisionObserver observer,
            RateLimitResponse response,
            TimeSource time) {
        this.engine = engine;
        this.policies = policies;
        this.observer = observer;
        this.response = response;
        this.time = time;
    }

    /** @throws io.sluice.spring.SluiceSettingsException if there is no such policy, or its key does not fit */
    void check(String route, String policy) {
        String where = where(route);
        RoutePolicies.keyAttribute(where, policies.require(where, policy));
    }

    private static String where(String route) {
        return "route \"" + route + "\", " + SluiceRateLimiter.PROPERTY + ".policy";
    }

    /** Decides a request. It is allowed if the policy has been removed since the route named it. */
    Mono<Response> decide(String route, String key, SluiceRateLimiter.Config config) {
        String where = where(route);
        Policy policy = policies.requireOnce(where, config.getPolicy());
        if (policy == null) {
            return Mono.just(new Response(true, Map.of()));
        }
        Map<String, String> attributes = Map.of("route", route, RoutePolicies.keyAttribute(where, policy), key);
        PolicySelection only = PolicySelection.only(policy.name());
        return ReactiveDecision.of(() -> observer.observeAsync(
                        "gateway", () -> engine.checkAsync(only, attributes, config.getPermits())))
                .flatMap(decision -> ReactiveDecision.afterDelay(
                        time,
                        decision,
                        Mono.just(response(decision)),
                        () -> engine.refundAsync(only, attributes, config.getPermits(), decision)));
    }

    private Response response(PolicyDecision decision) {
        Map<String, String> headers = new LinkedHashMap<>();
        response.setHeaders(decision, headers::put);
        return new Response(decision.allowed(), headers);
    }
}
