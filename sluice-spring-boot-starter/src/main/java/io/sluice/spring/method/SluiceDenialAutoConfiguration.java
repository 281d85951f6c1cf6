package io.sluice.spring.method;

import io.sluice.policy.PolicyEngine;
import io.sluice.spring.autoconfigure.SluiceAutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.server.WebExceptionHandler;
import org.springframework.web.servlet.HandlerExceptionResolver;
import reactor.core.publisher.Mono;

/** The response if {@link io.sluice.RateLimitedException} leaves a controller: of a method, a client, or a reserved cost. */
@AutoConfiguration(after = SluiceAutoConfiguration.class)
@ConditionalOnProperty(name = "sluice.enabled", matchIfMissing = true)
@ConditionalOnBean(PolicyEngine.class)
public class SluiceDenialAutoConfiguration {

    /** The response of Spring MVC. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(HandlerExceptionResolver.class)
    @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
    static class Mvc {
        @Bean
        RateLimitedMvcResolver sluiceRateLimitedMvcResolver() {
            return new RateLimitedMvcResolver();
        }
    }

    /** The response of WebFlux. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass({WebExceptionHandler.class, Mono.class})
    @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
    static class WebFlux {
        @Bean
        RateLimitedWebFluxHandler sluiceRateLimitedWebFluxHandler() {
            return new RateLimitedWebFluxHandler();
        }
    }
}
