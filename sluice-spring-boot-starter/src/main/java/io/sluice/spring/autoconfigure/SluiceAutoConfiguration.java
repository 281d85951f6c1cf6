package io.sluice.spring.autoconfigure;

import io.sluice.TimeSource;
import io.sluice.memory.MemoryStore;
import io.sluice.policy.PolicyEngine;
import io.sluice.policy.PolicyListener;
import io.sluice.spi.PolicyStore;
import io.sluice.spring.DecisionObserver;
import io.sluice.spring.NamedPolicies;
import io.sluice.spring.SluiceProperties;
import io.sluice.spring.SluiceProperties.StoreKind;
import io.sluice.spring.SluiceSettingsException;
import java.util.List;
import java.util.function.DoubleSupplier;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;
import org.springframework.core.io.ResourceLoader;
import org.springframework.util.ClassUtils;

/** The store and the policy engine. Every bean can be replaced by one of the application. */
@AutoConfiguration(after = SluiceRedisAutoConfiguration.class)
@ConditionalOnProperty(name = "sluice.enabled", matchIfMissing = true)
@EnableConfigurationProperties(SluiceProperties.class)
public class SluiceAutoConfiguration {

    /** Counts in the memory of this process, if there is no other store. */
    @Bean(destroyMethod = "close")
    @ConditionalOnMissingBean(PolicyStore.class)
    MemoryStore sluiceMemoryStore(
            SluiceProperties settings,
            ObjectProvider<TimeSource> time,
            ListableBeanFactory beans,
            ResourceLoader resources) {
        List<String> factories = ConnectionFactories.names(beans);
        if (settings.store() == StoreKind.REDIS && factories.size() > 1) {
            throw new SluiceSettingsException(
                    "sluice.store: redis, but there are several Lettuce connection factories: "
                            + String.join(", ", factories) + " (expected: one, or one that is @Primary)",
                    "Put @Primary on the one to use, or set sluice.redis.uri.");
        }
        if (settings.store() == StoreKind.REDIS) {
            throw new SluiceSettingsException(
                    "sluice.store: redis, but there is no Redis (expected: a Lettuce connection factory, or sluice.redis.uri with"
                            + " lettuce-core on the class path)",
                    "Add spring-boot-starter-data-redis, or set sluice.redis.uri and add io.lettuce:lettuce-core, or set"
                            + " sluice.store: memory.");
        }
        boolean hasLettuce = ClassUtils.isPresent("io.lettuce.core.RedisClient", resources.getClassLoader());
        if (settings.store() == StoreKind.AUTO && !settings.redis().uri().isEmpty() && !hasLettuce) {
            throw new SluiceSettingsException(
                    "sluice.redis.uri is set, but io.lettuce:lettuce-core is not on the class path (expected: the client for"
                            + " Redis)",
                    "Add io.lettuce:lettuce-core, or remove sluice.redis.uri, or set sluice.store: memory.");
        }
        StoreLog.memory(settings, factories);
        return MemoryStore.builder()
                .time(time.getIfAvailable(TimeSource::system))
                .build();
    }

    /** Decides by the policies of the application. Beans that are a {@link DoubleSupplier} are signals by their names. */
    @Bean(destroyMethod = "close")
    @ConditionalOnMissingBean
    PolicyEngine sluicePolicyEngine(
            SluiceProperties settings,
            PolicyStore store,
            ObjectProvider<TimeSource> time,
            ObjectProvider<PolicyListener> listeners,
            ListableBeanFactory beans,
            Environment environment,
            ResourceLoader resources) {
        PolicyEngine.Builder builder =
                PolicyEngine.builder().store(store).time(time.getIfAvailable(TimeSource::system));
        listeners.orderedStream().forEach(builder::listener);
        // A signal is created when it is first read: it may need beans that need the engine.
        for (String name : beans.getBeanNamesForType(DoubleSupplier.class, false, false)) {
            builder.signal(name, () -> beans.getBean(name, DoubleSupplier.class).getAsDouble());
        }
        new ConfiguredPolicies(environment, resources).applyTo(builder, settings.config());
        PolicyEngine engine = builder.build();
        StoreLog.policies(engine);
        return engine;
    }

    /** The policies that annotations and clients name. */
    @Bean
    @ConditionalOnMissingBean
    NamedPolicies sluiceNamedPolicies() {
        return new NamedPolicies();
    }

    /** Observes nothing, if there is no other observer. */
    @Bean
    @ConditionalOnMissingBean
    DecisionObserver sluiceDecisionObserver() {
        return DecisionObserver.NONE;
    }
}
