package io.sluice.spring.actuate;

import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** The health contribution on Spring Boot 4. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass({HealthIndicator.class, ConditionalOnEnabledHealthIndicator.class})
@ConditionalOnEnabledHealthIndicator("sluice")
@Import(StoreHealthConfiguration.class)
class Boot4Health {
    @Bean
    @ConditionalOnMissingBean(name = "sluiceHealthIndicator")
    HealthIndicator sluiceHealthIndicator(StoreHealth health) {
        return () -> {
            StoreHealth.Report report = health.report();
            return Health.status(report.status()).withDetails(report.details()).build();
        };
    }
}
