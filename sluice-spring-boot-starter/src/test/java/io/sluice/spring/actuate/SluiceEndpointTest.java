package io.sluice.spring.actuate;

import static org.assertj.core.api.Assertions.assertThat;

import com.jayway.jsonpath.JsonPath;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.WebApplicationType;

@Tag("slow")
class SluiceEndpointTest {
    private static final String[] SETTINGS = {
        "management.endpoints.web.exposure.include=sluice",
        "sluice.store=memory",
        "sluice.web.enabled=false",
        "sluice.policies[0].name=per-tenant",
        "sluice.policies[0].match.path=/api/**",
        "sluice.policies[0].key=tenant",
        "sluice.policies[0].limit=2/h",
        "sluice.policies[0].overrides[0].match.tenant=acme",
        "sluice.policies[0].overrides[0].limit=3/h",
        "sluice.policies[0].on-store-failure=deny",
        "sluice.policies[1].name=trial",
        "sluice.policies[1].limit=1/min",
        "sluice.policies[1].mode=off",
        "sluice.alerts[0].name=many-denied",
        "sluice.alerts[0].when=denied > 1",
        "sluice.alerts[0].over=10s",
        "sluice.alerts[0].notify=log",
    };

    private static ActuatorApplication application(WebApplicationType type) {
        return new ActuatorApplication(type, SETTINGS);
    }

    private static Object json(HttpResponse<String> response, String path) {
        assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
        return JsonPath.parse(response.body()).read(path);
    }

    @ParameterizedTest
    @EnumSource(
            value = WebApplicationType.class,
            names = {"SERVLET", "REACTIVE"})
    void overview_hasStorePoliciesAndFiringAlerts(WebApplicationType type) throws Exception {
        try (ActuatorApplication application = application(type)) {
            Map<String, String> globex = Map.of("tenant", "globex", "path", "/api/orders");
            for (int i = 0; i < 4; i++) {
                application.engine().check(globex);
            }
            application.time().advance(Duration.ofSeconds(1));

            HttpResponse<String> response = application.get("/actuator/sluice");

            assertThat(json(response, "$.version")).isEqualTo(1);
            assertThat(json(response, "$.edition")).isEqualTo(0);
            assertThat(json(response, "$.store")).isEqualTo(Map.of("kind", "memory", "available", true));
            assertThat(json(response, "$.policies[0]"))
                    .isEqualTo(Map.of(
                            "name", "per-tenant",
                            "match", "{\"path\": \"/api/**\"}",
                            "key", List.of("tenant"),
                            "limit", "token-bucket 2/h",
                            "overrides",
                                    List.of(Map.of("match", "{\"tenant\": \"acme\"}", "limit", "token-bucket 3/h")),
                            "mode", "enforce",
                            "scope", "shared",
                            "on-store-failure", "deny",
                            "charge", "admitted"));
            assertThat(json(response, "$.policies[1].mode")).isEqualTo("off");
            assertThat(json(response, "$.firing[*].alert")).isEqualTo(List.of("many-denied"));
            assertThat(json(response, "$.firing[0].counts.denied")).isEqualTo(2);
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = WebApplicationType.class,
            names = {"SERVLET", "REACTIVE"})
    void explain_withRepeatedAttributes_saysWhatWouldBeDecided(WebApplicationType type) throws Exception {
        try (ActuatorApplication application = application(type)) {
            HttpResponse<String> allowed = application.get(
                    "/actuator/sluice/explain?attribute=tenant=acme&attribute=path=/api/x&attribute=color=red");
            assertThat(json(allowed, "$.allowed")).isEqualTo(true);
            assertThat(json(allowed, "$.permits")).isEqualTo(1);
            assertThat(json(allowed, "$.unused")).isEqualTo(List.of("color"));
            assertThat(json(allowed, "$.policies[0].key")).isEqualTo(Map.of("tenant", "acme"));
            assertThat(json(allowed, "$.policies[0].limit")).isEqualTo("token-bucket 3/h");
            assertThat(json(allowed, "$.policies[0].override")).isEqualTo("{\"tenant\": \"acme\"}");
            assertThat(json(allowed, "$.policies[0].state.remaining")).isEqualTo(3);

            HttpResponse<String> never =
                    application.get("/actuator/sluice/explain?attribute=tenant=acme&attribute=path=/api/x&permits=4");
            assertThat(json(never, "$.allowed")).isEqualTo(false);
            assertThat(json(never, "$.policies[0].state.retry_after_us")).isEqualTo(-1);

            application.engine().charge(Map.of("tenant", "acme", "path", "/api/x"), 8);
            HttpResponse<String> inDebt =
                    application.get("/actuator/sluice/explain?attribute=tenant=acme&attribute=path=/api/x");
            assertThat(json(inDebt, "$.policies[0].state.debt")).isEqualTo(5);

            HttpResponse<String> other = application.get("/actuator/sluice/explain?attribute=path=/login");
            assertThat(json(other, "$.policies[0].applies")).isEqualTo(false);
            assertThat(json(other, "$.policies[0].reason")).asString().contains("/login");
        }
    }

    @Test
    void explain_ofAValueWithCommasAndEqualSigns_keepsIt() throws Exception {
        try (ActuatorApplication application = application(WebApplicationType.SERVLET)) {
            assertThat(json(application.get("/actuator/sluice/explain?attribute=tenant=a=b,c"), "$.attributes"))
                    .isEqualTo(Map.of("tenant", "a=b,c"));
        }
    }

    @Test
    void top_hasBusiestAndDeniedKeys() throws Exception {
        try (ActuatorApplication application = application(WebApplicationType.SERVLET)) {
            for (int i = 0; i < 3; i++) {
                application.engine().check(Map.of("tenant", "globex", "path", "/api/orders"));
            }
            application.engine().check(Map.of("tenant", "initech", "path", "/api/orders"));

            HttpResponse<String> response = application.get("/actuator/sluice/top");
            assertThat(json(response, "$.busiest[*].key.tenant")).isEqualTo(List.of("globex", "initech"));
            assertThat(json(response, "$.busiest[0].count")).isEqualTo(3);
            assertThat(json(response, "$.denied[0].policy")).isEqualTo("per-tenant");
            assertThat(json(response, "$.denied[0].count")).isEqualTo(1);

            assertThat(json(application.get("/actuator/sluice/top?n=1"), "$.busiest[*].key.tenant"))
                    .isEqualTo(List.of("globex"));
        }
    }

    @Test
    void limits_areThoseInForce() throws Exception {
        try (ActuatorApplication application = application(WebApplicationType.SERVLET)) {
            HttpResponse<String> response = application.get("/actuator/sluice/limits");
            assertThat(json(response, "$.limits[*].policy")).isEqualTo(List.of("per-tenant", "per-tenant"));
            assertThat(json(response, "$.limits[*].limit")).isEqualTo(List.of("token-bucket 2/h", "token-bucket 3/h"));
            assertThat(json(application.get("/actuator/sluice/policies"), "$.policies[*].name"))
                    .isEqualTo(List.of("per-tenant", "trial"));
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = WebApplicationType.class,
            names = {"SERVLET", "REACTIVE"})
    void badInput_isRefusedWithAText(WebApplicationType type) throws Exception {
        try (ActuatorApplication application = application(type)) {
            assertRefused(application.get("/actuator/sluice/top?n=0"), "n: \\\"0\\\" (expected: 1 to 1000)");
            assertRefused(
                    application.get("/actuator/sluice/explain?permits=-1"), "permits: \\\"-1\\\" (expected: 0 to");
            assertRefused(application.get("/actuator/sluice/explain?attribute=acme"), "(expected: name=value");
            assertRefused(
                    application.get("/actuator/sluice/explain?attribute=a=1&attribute=a=2"),
                    "(expected: each attribute once)");
            assertThat(application.get("/actuator/sluice/top?n=many").statusCode())
                    .isEqualTo(400);
            assertThat(application.get("/actuator/sluice/unknown").statusCode()).isEqualTo(404);
        }
    }

    private static void assertRefused(HttpResponse<String> response, String text) {
        assertThat(response.statusCode()).as(response.body()).isEqualTo(400);
        assertThat(response.body()).contains(text);
    }

    @Test
    void endpoint_byDefault_isNotExposed() throws Exception {
        try (ActuatorApplication application =
                new ActuatorApplication(WebApplicationType.SERVLET, "sluice.store=memory")) {
            assertThat(application.get("/actuator/sluice").statusCode()).isEqualTo(404);
            assertThat(application.get("/actuator/health").statusCode()).isEqualTo(200);
        }
    }
}
