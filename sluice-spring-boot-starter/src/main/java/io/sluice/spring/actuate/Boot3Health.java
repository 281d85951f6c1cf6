package io.sluice.spring.actuate;

import org.springframework.boot.actuate.autoconfigure.health.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.actuate.health.Health;
import org.springframework.boot.actuate.health.HealthIndicator;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The health contribution on Spring Boot 3. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass({HealthIndicator.class, ConditionalOnEnabledHealthIndicator.class})
class Boot3Health {
    @Bean
    @ConditionalOnEnabledHealthIndicator("sluice")
    @ConditionalOnMissingBean(name = "sluiceHealthIndicator")
    HealthIndicator sluiceHealthIndicator(StoreHealth health) {
        return () -> {
            StoreHealth.Report report = health.report();
            return Health.status(report.status()).withDetails(report.details()).build();
        };
    }
}
