package io.sluice.spring.gateway;

import io.sluice.spring.SluiceSettingsException;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.cloud.gateway.event.FilterArgsEvent;
import org.springframework.cloud.gateway.filter.ratelimit.AbstractRateLimiter;
import org.springframework.cloud.gateway.route.RouteDefinitionRouteLocator;
import org.springframework.cloud.gateway.support.ConfigurationService;
import reactor.core.publisher.Mono;

/**
 * A rate limiter for the gateway's own filter {@code RequestRateLimiter}, which decides by a policy. The text of the key resolver is the
 * value of the attribute in the policy's key. The attribute {@code route} is the id of the route.
 *
 * <pre>{@code
 * filters:
 * - name: RequestRateLimiter
 *   args:
 *     rate-limiter: "#{@sluiceRateLimiter}"
 *     key-resolver: "#{@tenants}"
 *     sluice-rate-limiter.policy: per-tenant
 * }</pre>
 *
 * <p>{@code rate-limiter} is needed only if the application has another rate limiter too, which is then the default.
 */
public final class SluiceRateLimiter extends AbstractRateLimiter<SluiceRateLimiter.Config> {
    /** The beginning of its arguments. */
    static final String PROPERTY = "sluice-rate-limiter";

    private final @Nullable RouteDecisions decisions;

    /** @param decisions null if every request is allowed, because Sluice is not enabled */
    SluiceRateLimiter(@Nullable ConfigurationService arguments, @Nullable RouteDecisions decisions) {
        super(Config.class, PROPERTY, arguments);
        this.decisions = decisions;
    }

    /** Reads the arguments of a route. A policy that does not exist makes the route fail here, and not at its first request. */
    @Override
    public void onApplicationEvent(FilterArgsEvent event) {
        super.onApplicationEvent(event);
        Config config = getConfig().get(event.getRouteId());
        if (config != null && decisions != null) {
            decisions.check(event.getRouteId(), config.getPolicy());
        }
    }

    @Override
    public Mono<Response> isAllowed(String routeId, String id) {
        if (decisions == null) {
            return Mono.just(new Response(true, Map.of()));
        }
        Config config = getConfig().get(routeId);
        if (config == null) {
            config = getConfig().get(RouteDefinitionRouteLocator.DEFAULT_FILTERS);
        }
        if (config == null) {
            return Mono.error(new SluiceSettingsException(
                    "route \"" + routeId + "\": RequestRateLimiter without " + PROPERTY
                            + ".policy (expected: a policy)",
                    "Add " + PROPERTY + ".policy to the arguments of the filter."));
        }
        return decisions.decide(routeId, id, config);
    }

    /** The arguments of a route. */
    public static final class Config {
        private String policy = "";
        private long permits = 1;

        /** The name of the policy. */
        public String getPolicy() {
            return policy;
        }

        /** Sets the name of the policy. */
        public Config setPolicy(String policy) {
            this.policy = policy;
            return this;
        }

        /** The permits that a request takes. */
        public long getPermits() {
            return permits;
        }

        /** Sets the permits that a request takes. */
        public Config setPermits(long permits) {
            if (permits < 0) {
                throw new IllegalArgumentException(PROPERTY + ".permits: " + permits + " (expected: >= 0)");
            }
            this.permits = permits;
            return this;
        }
    }
}
