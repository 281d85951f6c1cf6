package io.sluice.spring.test;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.policy.PolicyEngine;
import io.sluice.spi.PolicyStore;
import io.sluice.spring.WithoutGateway;
import io.sluice.testkit.ManualTime;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.autoconfigure.OverrideAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.context.ApplicationContext;

/** A slice as those of Spring Boot: no auto-configuration but what the test asks for. */
@SpringBootTest(
        classes = TestedApplication.class,
        webEnvironment = WebEnvironment.NONE,
        properties = {
            WithoutGateway.ENABLED,
            WithoutGateway.REDIS,
            TestedApplication.NAME,
            TestedApplication.KEY,
            TestedApplication.LIMIT
        })
@Tag("slow")
@OverrideAutoConfiguration(enabled = false)
@AutoConfigureSluice
class AutoConfigureSluiceSliceTest {
    @Autowired
    ApplicationContext context;

    @Test
    void slice_hasSluiceAndNothingElse() {
        assertThat(context.getBean(PolicyEngine.class).policies().policies()).hasSize(1);
        assertThat(context.getBeansOfType(ManualTime.class)).hasSize(1);
        assertThat(context.getBeansOfType(PolicyStore.class)).hasSize(1);
        assertThat(context.getBeanNamesForType(org.springframework.data.redis.connection.RedisConnectionFactory.class))
                .isEmpty();
    }
}
