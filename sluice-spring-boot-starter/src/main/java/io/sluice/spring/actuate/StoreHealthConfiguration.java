package io.sluice.spring.actuate;

import io.sluice.policy.PolicyEngine;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** What the health contributions of both lines of Spring Boot share. */
@Configuration(proxyBeanMethods = false)
@Import(StoreStatusConfiguration.class)
class StoreHealthConfiguration {
    @Bean
    StoreHealth sluiceStoreHealth(PolicyEngine engine, StoreStatus store) {
        return new StoreHealth(engine, store);
    }
}
