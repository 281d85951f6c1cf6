package io.sluice.spring.metrics;

import io.lettuce.core.RedisClient;
import io.micrometer.core.instrument.MeterRegistry;
import io.sluice.memory.MemoryStore;
import io.sluice.micrometer.MemoryStoreMetrics;
import io.sluice.micrometer.PolicyMetrics;
import io.sluice.micrometer.StoreMetrics;
import io.sluice.policy.PolicyEngine;
import io.sluice.redis.RedisStore;
import io.sluice.spring.autoconfigure.SluiceAutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Meters of the policies and of the store, if the application has a {@code MeterRegistry}. Spring Boot binds them to its
 * registries. They are removed when the application context is closed.
 */
@AutoConfiguration(
        after = SluiceAutoConfiguration.class,
        afterName = {
            "org.springframework.boot.actuate.autoconfigure.metrics.CompositeMeterRegistryAutoConfiguration",
            "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration"
        })
@ConditionalOnClass({MeterRegistry.class, PolicyMetrics.class})
@ConditionalOnBean(MeterRegistry.class)
@ConditionalOnSingleCandidate(PolicyEngine.class)
public class SluiceMetricsAutoConfiguration {

    /** Meters of the policies. */
    @Bean(destroyMethod = "close")
    @ConditionalOnMissingBean
    PolicyMetrics sluicePolicyMetrics(PolicyEngine engine) {
        return new PolicyMetrics(engine);
    }

    /** Removes the meters of the store at the end. */
    @Bean(destroyMethod = "close")
    StoreMeterRemoval sluiceStoreMeterRemoval() {
        return new StoreMeterRemoval();
    }

    /** Meters of the memory store. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnSingleCandidate(MemoryStore.class)
    static class Memory {
        @Bean
        @ConditionalOnMissingBean
        MemoryStoreMetrics sluiceMemoryStoreMetrics(MemoryStore store) {
            return new MemoryStoreMetrics(store);
        }
    }

    /**
     * Meters of the calls to Redis. The store of the starter takes this bean as a listener. An application that declares a
     * {@code RedisStore} itself passes the bean to its builder.
     */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass({RedisStore.class, RedisClient.class})
    @ConditionalOnBean(RedisStore.class)
    static class Redis {
        @Bean
        @ConditionalOnMissingBean
        StoreMetrics sluiceStoreMetrics() {
            return new StoreMetrics();
        }
    }
}
