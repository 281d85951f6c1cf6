package io.sluice.spring.gateway;

import io.sluice.spring.SluiceSettingsException;
import java.util.List;
import java.util.Map;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.cloud.gateway.config.GatewayProperties;
import org.springframework.cloud.gateway.event.FilterArgsEvent;
import org.springframework.cloud.gateway.filter.FilterDefinition;
import org.springframework.cloud.gateway.filter.factory.GatewayFilterFactory;
import org.springframework.cloud.gateway.filter.factory.RequestRateLimiterGatewayFilterFactory;
import org.springframework.cloud.gateway.route.RouteDefinition;
import org.springframework.cloud.gateway.support.ConfigurationService;

/*
 * The gateway builds its routes when the application runs already, and only logs an error: then no route works. So the routes of the
 * settings are read once before, as the gateway does it. Routes that come from elsewhere (a registry, a database) are not asked for:
 * that could block the start. Routes in Java are checked when their filters are made.
 */
/** Fails the start of the application if a route of the settings names a policy that does not exist. */
final class RouteCheck implements SmartInitializingSingleton {
    private static final Log LOG = LogFactory.getLog("io.sluice.spring");
    private static final String DEFAULT_FILTERS = "defaultFilters";

    private final ObjectProvider<GatewayProperties> settings;
    private final ObjectProvider<ConfigurationService> arguments;
    private final SluiceGatewayFilterFactory sluice;
    private final ObjectProvider<RequestRateLimiterGatewayFilterFactory> rateLimiter;

    RouteCheck(
            ObjectProvider<GatewayProperties> settings,
            ObjectProvider<ConfigurationService> arguments,
            SluiceGatewayFilterFactory sluice,
            ObjectProvider<RequestRateLimiterGatewayFilterFactory> rateLimiter) {
        this.settings = settings;
        this.arguments = arguments;
        this.sluice = sluice;
        this.rateLimiter = rateLimiter;
    }

    @Override
    public void afterSingletonsInstantiated() {
        GatewayProperties gateway = settings.getIfAvailable();
        ConfigurationService service = arguments.getIfAvailable();
        if (gateway == null || service == null) {
            return;
        }
        check(service, DEFAULT_FILTERS, gateway.getDefaultFilters());
        for (RouteDefinition route : gateway.getRoutes()) {
            if (route.isEnabled()) {
                check(service, route.getId(), route.getFilters());
            }
        }
    }

    private void check(ConfigurationService service, String route, List<FilterDefinition> filters) {
        for (FilterDefinition filter : filters) {
            try {
                check(service, route, filter);
            } catch (RuntimeException e) {
                SluiceSettingsException ours = settingsException(e);
                if (ours != null) {
                    throw ours;
                }
                // Any other mistake is the gateway's to report, as without Sluice.
                LOG.debug("route \"" + route + "\": the filter " + filter.getName() + " was not checked", e);
            }
        }
    }

    private void check(ConfigurationService service, String route, FilterDefinition filter) {
        if (filter.getName().equals(sluice.name())) {
            SluiceGatewayFilterFactory.Config config = bind(service, sluice, route, filter);
            config.setRouteId(route);
            sluice.apply(config);
        } else {
            RequestRateLimiterGatewayFilterFactory limiter = rateLimiter.getIfAvailable();
            if (limiter != null && filter.getName().equals(limiter.name())) {
                // The event with the arguments reaches the rate limiter, which checks them.
                bind(service, limiter, route, filter);
            }
        }
    }

    private <C> C bind(
            ConfigurationService service, GatewayFilterFactory<C> factory, String route, FilterDefinition filter) {
        Map<String, String> args = filter.getArgs();
        return service.<C, GatewayFilterFactory<C>>with(factory)
                .name(filter.getName())
                .properties(args)
                .eventFunction((bound, values) -> new FilterArgsEvent(this, route, values))
                .bind();
    }

    private static @Nullable SluiceSettingsException settingsException(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof SluiceSettingsException ours) {
                return ours;
            }
        }
        return null;
    }
}
