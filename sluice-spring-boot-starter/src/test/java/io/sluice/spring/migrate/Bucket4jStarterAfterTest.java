package io.sluice.spring.migrate;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.spring.web.TestApplication;
import java.net.http.HttpResponse;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

@Tag("slow")
class Bucket4jStarterAfterTest {
    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import(Reporting.class)
    @RestController
    static class App {
        @GetMapping({"/api/orders", "/other"})
        String orders() {
            return "orders";
        }
    }

    private static TestApplication app;

    @BeforeAll
    static void start() {
        app = Apps.start("bucket4j-starter.yaml", App.class);
    }

    @AfterAll
    static void stop() {
        app.close();
    }

    @Test
    void filter_limitsEachAddress() throws Exception {
        for (int i = 1; i <= 5; i++) {
            HttpResponse<String> allowed = app.client().get("/api/orders");
            assertThat(allowed.statusCode()).isEqualTo(200);
            assertThat(allowed.headers().firstValue("X-RateLimit-Remaining")).hasValue(Integer.toString(5 - i));
        }
        HttpResponse<String> denied = app.client().get("/api/orders");
        assertThat(denied.statusCode()).isEqualTo(429);
        assertThat(denied.headers().firstValue("Retry-After")).hasValue("2");
        assertThat(denied.body()).contains("\"api\"");
        assertThat(app.client().get("/other").statusCode()).isEqualTo(200);
        assertThat(app.client()
                        .get("/api/orders", "X-Forwarded-For", "192.0.2.1")
                        .statusCode())
                .isEqualTo(200);
        app.time().advance(Duration.ofSeconds(2));
        assertThat(app.client().get("/api/orders").statusCode()).isEqualTo(200);
    }

    @Test
    void method_limitsEachUser() {
        Reporting reporting = app.bean(Reporting.class);
        assertThat(reporting.report("ada")).isEqualTo("the report of ada");
        assertThat(reporting.report("ada")).isEqualTo("the report of ada");
        assertThat(reporting.report("ada")).isEqualTo("no more reports for ada now");
        assertThat(reporting.report("bob")).isEqualTo("the report of bob");
    }
}
