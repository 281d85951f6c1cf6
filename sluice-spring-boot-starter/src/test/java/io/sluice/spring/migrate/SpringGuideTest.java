package io.sluice.spring.migrate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.RateLimitedException;
import io.sluice.policy.PolicyEngine;
import io.sluice.policy.PolicyPermit;
import io.sluice.spring.client.PartnerApi;
import io.sluice.spring.web.TestApplication;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.client.HttpClientErrorException;

/** Runs the code of the guide for Spring. */
@Tag("slow")
class SpringGuideTest {
    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import({TenantAttribute.class, Reports.class})
    static class App {}

    @RestController
    static class Api {
        private final Reports reports;

        Api(Reports reports) {
            this.reports = reports;
        }

        @GetMapping("/api/orders")
        String orders() {
            return "orders";
        }

        @GetMapping("/reports/own")
        String report() {
            return reports.own();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @Import({App.class, Api.class})
    static class WebApp {}

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import(PartnerOrders.class)
    static class ClientApp {}

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class InFlightApp {}

    private static TestApplication app;

    @BeforeAll
    static void start() {
        app = Apps.start("application.yaml", WebApp.class);
    }

    @AfterAll
    static void stop() {
        app.close();
    }

    @Test
    void policies_limitEachTenant() throws Exception {
        for (int i = 0; i < 3; i++) {
            assertThat(app.client().get("/api/orders", Apps.BOB).statusCode()).isEqualTo(200);
        }
        HttpResponse<String> denied = app.client().get("/api/orders", Apps.BOB);
        assertThat(denied.statusCode()).isEqualTo(429);
        assertThat(denied.headers().firstValue("Retry-After")).hasValue("1");
        assertThat(denied.headers().firstValue("RateLimit")).hasValue("\"per-tenant\";r=0;t=3");
        assertThat(denied.headers().firstValue("RateLimit-Policy")).hasValue("\"per-tenant\";q=3;w=3");
        assertThat(denied.body()).contains("Try again in 1 second.").contains("\"violated-policies\":[\"per-tenant\"]");
        HttpResponse<String> allowed = app.client().get("/api/orders", Apps.ADA);
        assertThat(allowed.statusCode()).isEqualTo(200);
        assertThat(allowed.headers().firstValue("RateLimit"))
                .hasValueSatisfying(value -> assertThat(value).startsWith("\"per-tenant\";r=99"));
    }

    @Test
    void annotations_limitEachUser() throws Exception {
        assertThat(app.client().get("/reports/own", Apps.ADA).body()).isEqualTo("your report");
        Reports reports = app.bean(Reports.class);
        assertThat(reports.of("ada@acme")).isEqualTo("the report of ada@acme");
        assertThatExceptionOfType(RateLimitedException.class)
                .isThrownBy(() -> reports.of("ada@acme"))
                .satisfies(denied -> assertThat(denied.limiter()).isEqualTo("reports"));
        HttpResponse<String> denied = app.client().get("/reports/own", Apps.ADA);
        assertThat(denied.statusCode()).isEqualTo(429);
        assertThat(denied.headers().firstValue("Retry-After")).hasValue("30");
        assertThat(app.client().get("/reports/own", Apps.BOB).statusCode()).isEqualTo(200);
    }

    @Test
    void permits_areTakenTogether() {
        Reports reports = app.bean(Reports.class);
        List<String> fifteen = Collections.nCopies(15, "1");
        assertThat(reports.several("ada", fifteen)).hasSize(15);
        assertThat(reports.several("ada", fifteen)).isEmpty();
        app.time().advance(Duration.ofSeconds(1));
        assertThat(reports.several("ada", fifteen)).hasSize(15);
    }

    @Test
    void inFlight_isAPolicyLikeOthers() {
        try (TestApplication exports = Apps.start("in-flight.yaml", InFlightApp.class)) {
            PolicyEngine engine = exports.bean(PolicyEngine.class);
            Map<String, String> export = Map.of("path", "/exports/7", "user", "ada");
            try (PolicyPermit first = engine.enter(export);
                    PolicyPermit second = engine.enter(export)) {
                assertThat(first.isHeld()).isTrue();
                assertThat(second.isHeld()).isTrue();
                assertThat(engine.enter(export).allowed()).isFalse();
            }
            assertThat(engine.enter(export).allowed()).isTrue();
        }
    }

    @Test
    void client_honoursRetryAfter() {
        try (PartnerApi partner = new PartnerApi();
                TestApplication client = Apps.start("clients.yaml", ClientApp.class, "partner.url=" + partner.url())) {
            PartnerOrders orders = client.bean(PartnerOrders.class);
            partner.answers(429, Map.of("Retry-After", "30"));
            assertThatThrownBy(() -> orders.order("1")).isInstanceOf(HttpClientErrorException.class);
            assertThatThrownBy(() -> orders.order("2")).isInstanceOf(RateLimitedException.class);
            assertThat(partner.requests()).isEqualTo(1);
            partner.answers(200, Map.of());
            client.time().advance(Duration.ofSeconds(30));
            assertThat(orders.order("3")).isEqualTo("from the API");
        }
    }
}
