package io.sluice.spring.cost;

import io.sluice.policy.PolicyEngine;
import io.sluice.policy.PolicySelection;
import io.sluice.spring.DecisionObserver;
import io.sluice.spring.NamedPolicies;
import io.sluice.spring.Sluice;
import io.sluice.spring.SluiceProperties;
import io.sluice.spring.autoconfigure.SluiceAutoConfiguration;
import io.sluice.spring.web.CostPolicies;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.context.request.RequestContextHolder;
import reactor.core.publisher.Mono;

/** Costs that are known only afterwards. With {@code sluice.enabled: false} the beans are there, but charge nothing. */
@AutoConfiguration(after = SluiceAutoConfiguration.class)
@EnableConfigurationProperties(SluiceProperties.class)
public class SluiceCostAutoConfiguration {

    /** Null if Sluice is not enabled. */
    private static @Nullable RequestCosts costs(
            ObjectProvider<PolicyEngine> engine,
            ObjectProvider<NamedPolicies> named,
            ObjectProvider<DecisionObserver> observer,
            SluiceProperties settings) {
        PolicyEngine policies = engine.getIfAvailable();
        return policies == null
                ? null
                : new RequestCosts(
                        policies,
                        selection(policies, named, settings.web()),
                        observer.getIfAvailable(() -> DecisionObserver.NONE));
    }

    /** Without the setting, the policies that the filters decide. */
    private static Supplier<PolicySelection> selection(
            PolicyEngine engine, ObjectProvider<NamedPolicies> named, SluiceProperties.Web settings) {
        if (settings.costs().isEmpty()) {
            NamedPolicies others = named.getIfAvailable(NamedPolicies::new);
            return others::others;
        }
        PolicySelection costs = CostPolicies.of(settings, engine);
        return () -> costs;
    }

    /** The servlet stack. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
    @ConditionalOnClass(RequestContextHolder.class)
    static class OfThread {
        @Bean
        @ConditionalOnMissingBean
        Sluice sluice(
                ObjectProvider<PolicyEngine> engine,
                ObjectProvider<NamedPolicies> named,
                ObjectProvider<DecisionObserver> observer,
                SluiceProperties settings) {
            RequestCosts costs = costs(engine, named, observer, settings);
            return costs == null ? NoCost.SLUICE : new ThreadSluice(costs);
        }
    }

    /** WebFlux. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
    @ConditionalOnClass(Mono.class)
    static class OfContext {
        @Bean
        @ConditionalOnMissingBean
        ReactiveSluice reactiveSluice(
                ObjectProvider<PolicyEngine> engine,
                ObjectProvider<NamedPolicies> named,
                ObjectProvider<DecisionObserver> observer,
                SluiceProperties settings) {
            return new ReactiveSluice(costs(engine, named, observer, settings));
        }
    }
}
