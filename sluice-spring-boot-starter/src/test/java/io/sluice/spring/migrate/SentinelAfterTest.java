package io.sluice.spring.migrate;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.TimeSource;
import io.sluice.spring.autoconfigure.SluiceAutoConfiguration;
import io.sluice.spring.method.SluiceMethodAutoConfiguration;
import io.sluice.testkit.ManualTime;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

class SentinelAfterTest {
    @Test
    void orders_beyondTheLimitOfAShop_areAnsweredByTheFallback() {
        ManualTime time = new ManualTime();
        new ApplicationContextRunner()
                .withConfiguration(
                        AutoConfigurations.of(SluiceAutoConfiguration.class, SluiceMethodAutoConfiguration.class))
                .withBean(TimeSource.class, () -> time)
                .withUserConfiguration(Checkout.class)
                .run(context -> {
                    Checkout checkout = context.getBean(Checkout.class);
                    for (int i = 0; i < 20; i++) {
                        assertThat(checkout.order("north", "tea")).isEqualTo("north sells tea");
                    }
                    assertThat(checkout.order("north", "tea")).isEqualTo("north is busy");
                    assertThat(checkout.order("south", "tea")).isEqualTo("south sells tea");
                    time.advance(Duration.ofSeconds(2));
                    assertThat(checkout.order("north", "tea")).isEqualTo("north sells tea");
                });
    }
}
