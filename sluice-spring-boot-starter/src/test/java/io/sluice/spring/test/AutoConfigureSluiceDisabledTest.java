package io.sluice.spring.test;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.policy.PolicyEngine;
import io.sluice.spi.PolicyStore;
import io.sluice.spring.WithoutGateway;
import io.sluice.testkit.ManualTime;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.context.ApplicationContext;

@SpringBootTest(
        classes = TestedApplication.class,
        webEnvironment = WebEnvironment.NONE,
        properties = {
            WithoutGateway.ENABLED,
            WithoutGateway.REDIS,
            TestedApplication.NAME,
            TestedApplication.KEY,
            TestedApplication.LIMIT,
            "sluice.enabled=true"
        })
@Tag("slow")
@AutoConfigureSluice(enabled = false)
class AutoConfigureSluiceDisabledTest {
    @Autowired
    ApplicationContext context;

    @Test
    void disabled_startsWithoutAnythingThatLimits() {
        assertThat(context.getBeanNamesForType(PolicyEngine.class)).isEmpty();
        assertThat(context.getBeanNamesForType(PolicyStore.class)).isEmpty();
        assertThat(context.getBeansOfType(ManualTime.class)).hasSize(1);
    }
}
