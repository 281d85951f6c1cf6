package io.sluice.spring.gateway;

import io.sluice.TimeSource;
import io.sluice.policy.PolicyEngine;
import io.sluice.policy.PolicySelection;
import io.sluice.spring.DecisionObserver;
import io.sluice.spring.NamedPolicies;
import io.sluice.spring.RequestAttribute;
import io.sluice.spring.SluiceProperties;
import io.sluice.spring.autoconfigure.SluiceAutoConfiguration;
import io.sluice.spring.web.WebDecisions;
import java.util.List;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.cloud.gateway.config.GatewayProperties;
import org.springframework.cloud.gateway.filter.GatewayFilter;
import org.springframework.cloud.gateway.filter.factory.GatewayFilterFactory;
import org.springframework.cloud.gateway.filter.factory.RequestRateLimiterGatewayFilterFactory;
import org.springframework.cloud.gateway.support.ConfigurationService;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Fallback;

/*
 * The gateway has its RequestRateLimiter filter only if there is a rate limiter, so this comes before the gateway. The filter needs
 * one default rate limiter. Ours is a fallback: any other, such as that of the gateway for Redis, comes before it.
 */
/** Spring Cloud Gateway on WebFlux. With {@code sluice.enabled: false}, routes may name the filters, which do nothing. */
@AutoConfiguration(
        after = SluiceAutoConfiguration.class,
        beforeName = "org.springframework.cloud.gateway.config.GatewayAutoConfiguration")
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
@ConditionalOnClass(GatewayFilterFactory.class)
@ConditionalOnProperty(name = "spring.cloud.gateway.server.webflux.enabled", matchIfMissing = true)
public class SluiceGatewayAutoConfiguration {

    /** The filter and the rate limiter. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnProperty(name = "sluice.enabled", matchIfMissing = true)
    static class Enabled {
        @Bean
        @ConditionalOnMissingBean
        WebDecisions sluiceWebDecisions(
                PolicyEngine engine,
                NamedPolicies named,
                DecisionObserver observer,
                ObjectProvider<RequestAttribute> attributes,
                SluiceProperties settings,
                ObjectProvider<TimeSource> time) {
            return new WebDecisions(
                    engine,
                    named,
                    observer,
                    attributes.orderedStream().toList(),
                    settings.web(),
                    time.getIfAvailable(TimeSource::system));
        }

        @Bean
        ExchangeEnd sluiceExchangeEnd() {
            return new ExchangeEnd();
        }

        @Bean
        @ConditionalOnMissingBean
        SluiceGatewayFilterFactory sluiceGatewayFilterFactory(
                WebDecisions decisions, PolicyEngine engine, NamedPolicies named, ObjectProvider<TimeSource> time) {
            TimeSource clock = time.getIfAvailable(TimeSource::system);
            RoutePolicies policies = new RoutePolicies(engine, named);
            return new SluiceGatewayFilterFactory(config -> {
                List<String> names = config.getPolicies();
                names.forEach(name -> policies.require(config.where(), name));
                PolicySelection only =
                        PolicySelection.only(names.stream().distinct().toArray(String[]::new));
                return names.isEmpty()
                        ? new RouteFilter(decisions, named::others, false, clock)
                        : new RouteFilter(decisions, () -> only, true, clock);
            });
        }

        @Bean
        RouteCheck sluiceRouteCheck(
                ObjectProvider<GatewayProperties> settings,
                ObjectProvider<ConfigurationService> arguments,
                SluiceGatewayFilterFactory sluice,
                ObjectProvider<RequestRateLimiterGatewayFilterFactory> rateLimiter) {
            return new RouteCheck(settings, arguments, sluice, rateLimiter);
        }

        @Bean
        @Fallback
        @ConditionalOnMissingBean
        SluiceRateLimiter sluiceRateLimiter(
                ObjectProvider<ConfigurationService> arguments,
                WebDecisions decisions,
                PolicyEngine engine,
                NamedPolicies named,
                DecisionObserver observer,
                ObjectProvider<TimeSource> time) {
            return new SluiceRateLimiter(
                    arguments.getIfAvailable(),
                    new RouteDecisions(
                            engine,
                            new RoutePolicies(engine, named),
                            observer,
                            decisions.response(),
                            time.getIfAvailable(TimeSource::system)));
        }
    }

    /** The same names, so that routes need not change. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnProperty(name = "sluice.enabled", havingValue = "false")
    static class Disabled {
        private static final GatewayFilter NOTHING = (exchange, chain) -> chain.filter(exchange);

        @Bean
        @ConditionalOnMissingBean
        SluiceGatewayFilterFactory sluiceGatewayFilterFactory() {
            return new SluiceGatewayFilterFactory(config -> NOTHING);
        }

        @Bean
        @Fallback
        @ConditionalOnMissingBean
        SluiceRateLimiter sluiceRateLimiter(ObjectProvider<ConfigurationService> arguments) {
            return new SluiceRateLimiter(arguments.getIfAvailable(), null);
        }
    }
}
