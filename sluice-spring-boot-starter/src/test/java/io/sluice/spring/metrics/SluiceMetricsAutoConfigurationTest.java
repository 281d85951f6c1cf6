package io.sluice.spring.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.ObservationRegistry;
import io.sluice.micrometer.MemoryStoreMetrics;
import io.sluice.micrometer.PolicyMetrics;
import io.sluice.micrometer.StoreMetrics;
import io.sluice.policy.PolicyEngine;
import io.sluice.redis.RedisStore;
import io.sluice.spring.DecisionObserver;
import io.sluice.spring.WithoutGateway;
import io.sluice.spring.autoconfigure.SluiceAutoConfiguration;
import io.sluice.spring.autoconfigure.SluiceRedisAutoConfiguration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Configuration;

class SluiceMetricsAutoConfigurationTest {
    private static final String[] SETTINGS = {
        "sluice.policies[0].name=per-tenant", "sluice.policies[0].key=tenant", "sluice.policies[0].limit=1/h"
    };

    /** Only the configurations of Sluice. */
    private final ApplicationContextRunner sluice = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    SluiceRedisAutoConfiguration.class,
                    SluiceAutoConfiguration.class,
                    SluiceMetricsAutoConfiguration.class,
                    SluiceObservationAutoConfiguration.class))
            .withPropertyValues(SETTINGS);

    /** A whole application without a web server. */
    private final ApplicationContextRunner application = new ApplicationContextRunner()
            .withUserConfiguration(Application.class)
            .withPropertyValues(SETTINGS)
            .withPropertyValues("sluice.store=memory", WithoutGateway.ENABLED, WithoutGateway.REDIS);

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {}

    @Test
    void withoutRegistry_hasNoMetersAndObservesNothing() {
        sluice.run(context -> {
            assertThat(context).doesNotHaveBean(PolicyMetrics.class).doesNotHaveBean(MemoryStoreMetrics.class);
            assertThat(context.getBean(DecisionObserver.class)).isSameAs(DecisionObserver.NONE);
        });
    }

    @Test
    void withoutMicrometer_starts() {
        sluice.withClassLoader(new FilteredClassLoader("io.micrometer"))
                .run(context -> assertThat(context)
                        .hasNotFailed()
                        .hasSingleBean(PolicyEngine.class)
                        .doesNotHaveBean("sluicePolicyMetrics"));
    }

    @Test
    void withoutLettuce_hasMetersOfTheMemoryStore() {
        sluice.withBean(SimpleMeterRegistry.class)
                .withClassLoader(new FilteredClassLoader("io.lettuce", "io.sluice.redis"))
                .run(context -> assertThat(context)
                        .hasSingleBean(MemoryStoreMetrics.class)
                        .doesNotHaveBean(StoreMetrics.class));
    }

    @Test
    void disabled_hasNoMeters() {
        sluice.withBean(SimpleMeterRegistry.class)
                .withBean(ObservationRegistry.class, ObservationRegistry::create)
                .withPropertyValues("sluice.enabled=false")
                .run(context -> assertThat(context)
                        .hasNotFailed()
                        .doesNotHaveBean(PolicyMetrics.class)
                        .doesNotHaveBean(DecisionObserver.class));
    }

    @Test
    void redisStore_hasMetersOfItsCallsInsteadOfThoseOfMemory() {
        sluice.withBean(SimpleMeterRegistry.class)
                .withPropertyValues("sluice.redis.uri=redis://localhost:1", "sluice.redis.connect-wait=0s")
                .run(context -> assertThat(context)
                        .hasSingleBean(RedisStore.class)
                        .hasSingleBean(StoreMetrics.class)
                        .doesNotHaveBean(MemoryStoreMetrics.class));
    }

    @Test
    void application_withRedis_bindsTheMetersOfItsCallsAndRemovesThemWhenItEnds() {
        SimpleMeterRegistry registry = new SimpleMeterRegistry();
        application
                .withBean(MeterRegistry.class, () -> registry)
                .withPropertyValues(
                        "sluice.store=redis", "sluice.redis.uri=redis://localhost:1", "sluice.redis.connect-wait=0s")
                .run(context -> {
                    context.getBean(PolicyEngine.class).check(Map.of("tenant", "acme"));
                    assertThat(registry.get("sluice.store.degraded")
                                    .tag("how", "allow")
                                    .functionCounter()
                                    .count())
                            .isEqualTo(1);
                });
        assertThat(registry.getMeters())
                .extracting(meter -> meter.getId().getName())
                .noneMatch(name -> name.startsWith("sluice."));
    }

    @Test
    void application_bindsTheMetersAndRemovesThemWhenItEnds() {
        SimpleMeterRegistry registry = new SimpleMeterRegistry();
        application.withBean(MeterRegistry.class, () -> registry).run(context -> {
            PolicyEngine engine = context.getBean(PolicyEngine.class);
            engine.check(Map.of("tenant", "acme"));
            engine.check(Map.of("tenant", "acme"));
            assertThat(registry.get("sluice.decisions")
                            .tags("policy", "per-tenant", "outcome", "denied")
                            .functionCounter()
                            .count())
                    .isEqualTo(1);
            assertThat(registry.get("sluice.keys").gauge().value()).isEqualTo(1);
        });
        assertThat(registry.getMeters())
                .extracting(meter -> meter.getId().getName())
                .noneMatch(name -> name.startsWith("sluice."));
    }

    @Test
    void application_observesDecisions() {
        SimpleMeterRegistry registry = new SimpleMeterRegistry();
        application.withBean(MeterRegistry.class, () -> registry).run(context -> {
            PolicyEngine engine = context.getBean(PolicyEngine.class);
            DecisionObserver observer = context.getBean(DecisionObserver.class);
            observer.observe("web", () -> engine.check(Map.of("tenant", "acme")));
            observer.observe("web", () -> engine.check(Map.of("tenant", "acme")));
            assertThat(registry.get("sluice.decision")
                            .tags("surface", "web", "policy", "per-tenant", "outcome", "denied")
                            .timer()
                            .count())
                    .isEqualTo(1);
        });
    }

    @Test
    void observation_switchedOffBySetting_isNotMade() {
        SimpleMeterRegistry registry = new SimpleMeterRegistry();
        application
                .withBean(MeterRegistry.class, () -> registry)
                .withPropertyValues("management.observations.enable.sluice=false")
                .run(context -> {
                    PolicyEngine engine = context.getBean(PolicyEngine.class);
                    DecisionObserver observer = context.getBean(DecisionObserver.class);
                    assertThat(observer).isInstanceOf(ObservedDecisions.class);
                    observer.observe("web", () -> engine.check(Map.of("tenant", "acme")));
                    assertThat(registry.find("sluice.decision").timer()).isNull();
                });
    }

    @Test
    void convention_ofTheApplication_isUsed() {
        SimpleMeterRegistry registry = new SimpleMeterRegistry();
        application
                .withBean(MeterRegistry.class, () -> registry)
                .withBean(DecisionObservationConvention.class, () -> new DecisionObservationConvention() {
                    @Override
                    public String getName() {
                        return "limits";
                    }
                })
                .run(context -> {
                    PolicyEngine engine = context.getBean(PolicyEngine.class);
                    context.getBean(DecisionObserver.class)
                            .observe("web", () -> engine.check(Map.of("tenant", "acme")));
                    assertThat(registry.get("limits").timer().count()).isEqualTo(1);
                });
    }

    @Test
    void observer_ofTheApplication_isUsed() {
        DecisionObserver own = new DecisionObserver() {};
        sluice.withBean(ObservationRegistry.class, ObservationRegistry::create)
                .withBean(DecisionObserver.class, () -> own)
                .run(context ->
                        assertThat(context.getBean(DecisionObserver.class)).isSameAs(own));
    }
}
