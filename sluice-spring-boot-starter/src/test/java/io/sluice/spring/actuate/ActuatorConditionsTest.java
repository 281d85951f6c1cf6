package io.sluice.spring.actuate;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.policy.PolicyEngine;
import io.sluice.spring.autoconfigure.SluiceAutoConfiguration;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;

class ActuatorConditionsTest {
    private final WebApplicationContextRunner runner = new WebApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    SluiceAutoConfiguration.class,
                    SluiceEndpointAutoConfiguration.class,
                    SluiceHealthAutoConfiguration.class))
            .withPropertyValues("management.endpoints.web.exposure.include=*");

    @Test
    void exposed_hasEndpointAndHealth() {
        runner.run(context -> assertThat(context)
                .hasSingleBean(SluiceEndpoint.class)
                .hasSingleBean(StoreHealth.class)
                .hasBean("sluiceHealthIndicator"));
    }

    @Test
    void withoutActuator_startsWithoutThem() {
        runner.withClassLoader(new FilteredClassLoader(
                        "org.springframework.boot.actuate.endpoint",
                        "org.springframework.boot.actuate.health",
                        "org.springframework.boot.health.contributor"))
                .run(context -> assertThat(context)
                        .hasNotFailed()
                        .hasSingleBean(PolicyEngine.class)
                        .doesNotHaveBean(StoreStatus.class)
                        .doesNotHaveBean("sluiceHealthIndicator"));
    }

    @Test
    void withoutRedisClasses_hasTheStatusOfTheMemoryStore() {
        runner.withClassLoader(new FilteredClassLoader("io.lettuce", "io.sluice.redis"))
                .run(context ->
                        assertThat(context.getBean(StoreStatus.class).kind()).isEqualTo("memory"));
    }

    @Test
    void disabled_hasNoEndpointAndNoHealth() {
        runner.withPropertyValues("sluice.enabled=false")
                .run(context -> assertThat(context)
                        .hasNotFailed()
                        .doesNotHaveBean(SluiceEndpoint.class)
                        .doesNotHaveBean("sluiceHealthIndicator"));
    }
}
