package io.sluice.spring.gateway;

import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.cloud.gateway.filter.GatewayFilter;
import org.springframework.cloud.gateway.filter.factory.AbstractGatewayFilterFactory;
import org.springframework.cloud.gateway.support.HasRouteId;

/**
 * The filter {@code Sluice} of routes. It decides a request by the policies that it names, or by all policies that nobody names:
 *
 * <pre>{@code
 * filters:
 * - Sluice
 * - Sluice=per-tenant, per-user
 * }</pre>
 *
 * <p>The attributes of a request are {@code path}, {@code method}, {@code ip}, {@code header.<name>}, {@code query.<name>}, {@code
 * user}, {@code route} (the id of the route), and those that the application adds. A denied request gets 429 with the headers {@code
 * Retry-After} and {@code RateLimit}, and a body of type problem+json. An allowed request waits for its delay, without a thread.
 *
 * <p>If the filter for all HTTP requests runs too ({@code sluice.web.enabled}), it has charged the policies that nobody names already.
 * Then this filter does nothing without names. A gateway usually sets {@code sluice.web.enabled: false}, because only the filters of
 * routes know the id of the route.
 */
public final class SluiceGatewayFilterFactory extends AbstractGatewayFilterFactory<SluiceGatewayFilterFactory.Config> {
    private final Function<Config, GatewayFilter> filters;

    SluiceGatewayFilterFactory(Function<Config, GatewayFilter> filters) {
        super(Config.class);
        this.filters = filters;
    }

    @Override
    public ShortcutType shortcutType() {
        return ShortcutType.GATHER_LIST;
    }

    @Override
    public List<String> shortcutFieldOrder() {
        return List.of("policies");
    }

    /** @throws io.sluice.spring.SluiceSettingsException if there is no policy of a name */
    @Override
    public GatewayFilter apply(Config config) {
        return filters.apply(config);
    }

    /** The arguments of the filter. */
    public static final class Config implements HasRouteId {
        private List<String> policies = List.of();
        private @Nullable String routeId;

        /** The names of the policies; empty for all that nobody names. */
        public List<String> getPolicies() {
            return policies;
        }

        /** Sets the names of the policies. */
        public Config setPolicies(List<String> policies) {
            this.policies = List.copyOf(policies);
            return this;
        }

        /** The id of the route; null for a filter that Java code makes without it. */
        @Override
        public @Nullable String getRouteId() {
            return routeId;
        }

        @Override
        public void setRouteId(@Nullable String routeId) {
            this.routeId = routeId;
        }

        /** The filter in its route, for messages. */
        String where() {
            return routeId == null ? "the filter Sluice of a route" : "route \"" + routeId + "\", the filter Sluice";
        }
    }
}
