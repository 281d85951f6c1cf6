package io.sluice.spring.webflux;

import io.sluice.TimeSource;
import io.sluice.policy.PolicyEngine;
import io.sluice.spring.DecisionObserver;
import io.sluice.spring.NamedPolicies;
import io.sluice.spring.RequestAttribute;
import io.sluice.spring.SluiceProperties;
import io.sluice.spring.autoconfigure.SluiceAutoConfiguration;
import io.sluice.spring.web.FilterOrder;
import io.sluice.spring.web.ForwardedAddress;
import io.sluice.spring.web.WebDecisions;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.util.function.SingletonSupplier;
import org.springframework.web.reactive.HandlerMapping;
import org.springframework.web.server.WebFilter;

/** The filter for WebFlux applications. */
@AutoConfiguration(after = SluiceAutoConfiguration.class)
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
@ConditionalOnClass({WebFilter.class, HandlerMapping.class})
@ConditionalOnBean(PolicyEngine.class)
public class SluiceWebFluxAutoConfiguration {

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
    @ConditionalOnMissingBean
    RateLimitWebFilter sluiceRateLimitWebFilter(
            WebDecisions decisions,
            PolicyEngine engine,
            ObjectProvider<HandlerMapping> mappings,
            ObjectProvider<TimeSource> time,
            SluiceProperties settings,
            ApplicationContext application) {
        ForwardedAddress.warnIfChosenByClients(application.getEnvironment(), engine, false);
        return new RateLimitWebFilter(
                decisions,
                new ExchangeRoutes(
                        SingletonSupplier.of(() -> mappings.orderedStream().toList())),
                time.getIfAvailable(TimeSource::system),
                FilterOrder.of(settings.web().position(), FilterOrder.SECURITY),
                application);
    }
}
