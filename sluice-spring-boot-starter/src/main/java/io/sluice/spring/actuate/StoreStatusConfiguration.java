package io.sluice.spring.actuate;

import io.lettuce.core.RedisClient;
import io.sluice.redis.RedisStore;
import io.sluice.spi.PolicyStore;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The status of the store that the application has. */
@Configuration(proxyBeanMethods = false)
class StoreStatusConfiguration {

    /** Only here is the type of the Redis store touched. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass({RedisStore.class, RedisClient.class})
    static class OfRedis {
        @Bean
        @ConditionalOnSingleCandidate(RedisStore.class)
        StoreStatus sluiceRedisStatus(RedisStore store) {
            return new StoreStatus.Redis(store);
        }
    }

    @Bean
    @ConditionalOnMissingBean
    StoreStatus sluiceStoreStatus(PolicyStore store) {
        return new StoreStatus.Local(store);
    }
}
