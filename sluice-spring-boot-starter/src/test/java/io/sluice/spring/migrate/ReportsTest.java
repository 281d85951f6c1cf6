package io.sluice.spring.migrate;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.spring.WithoutGateway;
import io.sluice.spring.test.AutoConfigureSluice;
import io.sluice.testkit.ManualTime;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.test.context.ContextConfiguration;
import org.springframework.test.context.TestPropertySource;

@ContextConfiguration(classes = SpringGuideTest.App.class)
@TestPropertySource(
        properties = {
            WithoutGateway.ENABLED,
            WithoutGateway.REDIS,
            "spring.main.web-application-type=none",
            "spring.config.location=classpath:io/sluice/spring/migrate/application.yaml"
        })
// docs
@SpringBootTest
@AutoConfigureSluice
class ReportsTest {
    @Autowired
    Reports reports;

    @Autowired
    ManualTime time;

    @Test
    void thirdReport_waitsForItsTurn() {
        reports.fromPartner("a");
        reports.fromPartner("b");
        CompletableFuture<String> third = reports.fromPartner("c");
        assertThat(third).isNotDone();
        time.advance(Duration.ofMillis(500));
        assertThat(third.join()).isEqualTo("report c");
    }
}
// end
