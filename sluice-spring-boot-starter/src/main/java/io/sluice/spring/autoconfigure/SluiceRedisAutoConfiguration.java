package io.sluice.spring.autoconfigure;

import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.RedisClient;
import io.lettuce.core.cluster.RedisClusterClient;
import io.sluice.StoreListener;
import io.sluice.redis.RedisStore;
import io.sluice.spi.PolicyStore;
import io.sluice.spring.SluiceProperties;
import io.sluice.spring.SluiceSettingsException;
import java.util.List;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** The store in Redis: a Redis of its own if {@code sluice.redis.uri} is set, else that of the application. */
@AutoConfiguration(
        afterName = {
            "org.springframework.boot.autoconfigure.data.redis.RedisAutoConfiguration",
            "org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration"
        })
@ConditionalOnProperty(name = "sluice.enabled", matchIfMissing = true)
@ConditionalOnClass({RedisStore.class, RedisClient.class})
@Conditional(StoreConditions.NotMemory.class)
@EnableConfigurationProperties(SluiceProperties.class)
public class SluiceRedisAutoConfiguration {

    private static RedisStore.Builder builder(SluiceProperties.Redis redis, ObjectProvider<StoreListener> listeners) {
        return RedisStore.builder()
                .prefix(redis.prefix())
                .deadline(redis.deadline())
                .connectWait(redis.connectWait())
                .onFailure(redis.onFailure())
                .listener(StoreListeners.of(listeners.orderedStream().toList()));
    }

    /** A Redis for Sluice alone. */
    @Configuration(proxyBeanMethods = false)
    @Conditional(StoreConditions.OwnRedis.class)
    static class Own {
        @Bean(destroyMethod = "close")
        @ConditionalOnMissingBean(PolicyStore.class)
        RedisStore sluiceRedisStore(SluiceProperties settings, ObjectProvider<StoreListener> listeners) {
            List<String> uris = RedisAddresses.whole(settings.redis().uri());
            RedisStore.Builder builder = builder(settings.redis(), listeners);
            try {
                builder.uri(uris.get(0), uris.subList(1, uris.size()).toArray(String[]::new));
            } catch (IllegalArgumentException e) {
                throw new SluiceSettingsException("sluice.redis.uri: " + e.getMessage(), "Correct sluice.redis.uri.");
            }
            RedisStore store = builder.build();
            StoreLog.redis("sluice.redis.uri", settings);
            return store;
        }
    }

    /** The Redis of the application, with its client: addresses, TLS, credentials and client resources. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(LettuceConnectionFactory.class)
    @ConditionalOnSingleCandidate(LettuceConnectionFactory.class)
    @Conditional(StoreConditions.NoOwnRedis.class)
    static class OfApplication {
        @Bean(destroyMethod = "close")
        @ConditionalOnMissingBean(PolicyStore.class)
        RedisStore sluiceRedisStore(
                SluiceProperties settings, LettuceConnectionFactory factory, ObjectProvider<StoreListener> listeners) {
            RedisStore.Builder builder = builder(settings.redis(), listeners);
            AbstractRedisClient client = client(factory);
            if (client instanceof RedisClient single) {
                builder.client(single);
            } else if (client instanceof RedisClusterClient cluster) {
                builder.client(cluster);
            } else {
                throw new SluiceSettingsException(
                        "The Lettuce connection factory has the client " + client
                                + " (expected: a RedisClient or a RedisClusterClient)",
                        "Set sluice.redis.uri, or declare a RedisStore as a bean.");
            }
            RedisStore store = builder.build();
            StoreLog.redis("the Lettuce connection factory", settings);
            return store;
        }

        @Bean
        @ConditionalOnBean(name = "sluiceRedisStore")
        StoreShutdown sluiceStoreShutdown(
                @Qualifier("sluiceRedisStore") RedisStore store,
                LettuceConnectionFactory factory,
                ConfigurableApplicationContext context) {
            return new StoreShutdown(store, factory.getPhase(), context);
        }

        private static AbstractRedisClient client(LettuceConnectionFactory factory) {
            if (factory.getNativeClient() == null) {
                factory.start();
            }
            return factory.getRequiredNativeClient();
        }
    }
}
