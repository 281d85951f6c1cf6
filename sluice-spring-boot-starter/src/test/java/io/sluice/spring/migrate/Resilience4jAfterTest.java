package io.sluice.spring.migrate;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.spring.web.TestApplication;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

@Tag("slow")
class Resilience4jAfterTest {
    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import(Quotes.class)
    static class App {
        @Bean
        AtomicInteger calls() {
            return new AtomicInteger();
        }

        @Bean
        UnaryOperator<String> exchange(AtomicInteger calls) {
            return symbol -> symbol + " " + calls.incrementAndGet();
        }
    }

    @Test
    void quotes_beyondTheLimit_areAnsweredByTheFallback() {
        try (TestApplication app = Apps.start("resilience4j.yaml", App.class)) {
            Quotes quotes = app.bean(Quotes.class);
            for (int i = 1; i <= 10; i++) {
                assertThat(quotes.quote("ACME")).isEqualTo("ACME " + i);
            }
            assertThat(quotes.quote("ACME")).isEqualTo("ACME 10");
            assertThat(quotes.quote("OTHER")).isEqualTo("try again in PT1S");
            assertThat(app.bean(AtomicInteger.class)).hasValue(10);
            app.time().advance(Duration.ofSeconds(1));
            assertThat(List.of(quotes.quote("ACME"), quotes.quote("OTHER"))).containsExactly("ACME 11", "OTHER 12");
        }
    }
}
