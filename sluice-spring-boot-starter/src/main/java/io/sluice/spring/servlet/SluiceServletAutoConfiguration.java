package io.sluice.spring.servlet;

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
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import java.util.EnumSet;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;
import org.springframework.core.env.Environment;
import org.springframework.util.ClassUtils;
import org.springframework.util.function.SingletonSupplier;
import org.springframework.web.servlet.HandlerMapping;

/** The filters for servlet applications. */
@AutoConfiguration(after = SluiceAutoConfiguration.class)
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@ConditionalOnClass({Filter.class, FilterRegistrationBean.class})
@ConditionalOnBean(PolicyEngine.class)
public class SluiceServletAutoConfiguration {
    private static final String TOMCAT_VALVE = "org.apache.catalina.valves.RemoteIpValve";

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
    @ConditionalOnMissingBean(name = "sluiceRateLimitFilter")
    FilterRegistrationBean<RateLimitFilter> sluiceRateLimitFilter(
            WebDecisions decisions,
            PolicyEngine engine,
            ObjectProvider<Routes> routes,
            SluiceProperties settings,
            Environment environment) {
        ForwardedAddress.warnIfChosenByClients(environment, engine, ClassUtils.isPresent(TOMCAT_VALVE, null));
        FilterRegistrationBean<RateLimitFilter> filter =
                new FilterRegistrationBean<>(new RateLimitFilter(decisions, routes.getIfAvailable(() -> Routes.NONE)));
        filter.setName("sluiceRateLimitFilter");
        filter.setOrder(FilterOrder.of(settings.web().position(), securityOrder(environment)));
        filter.setDispatcherTypes(EnumSet.of(DispatcherType.REQUEST));
        filter.setAsyncSupported(true);
        return filter;
    }

    /** An application can move the filter of Spring Security. */
    private static int securityOrder(Environment environment) {
        return environment.getProperty("spring.security.filter.order", Integer.class, FilterOrder.SECURITY);
    }

    /**
     * The innermost filter. It is a bean without a registration, because Spring Boot puts these after all others of the same
     * order, and those of auto-configurations after those of the application.
     */
    @Bean
    @Order
    @ConditionalOnMissingBean
    DelayFilter sluiceDelayFilter(ObjectProvider<TimeSource> time) {
        return new DelayFilter(time.getIfAvailable(TimeSource::system));
    }

    /** The patterns of handlers, if the application has Spring MVC. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(HandlerMapping.class)
    static class Mvc {
        @Bean
        @ConditionalOnMissingBean
        Routes sluiceRoutes(ObjectProvider<HandlerMapping> mappings) {
            return new MvcRoutes(
                    SingletonSupplier.of(() -> mappings.orderedStream().toList()));
        }
    }
}
