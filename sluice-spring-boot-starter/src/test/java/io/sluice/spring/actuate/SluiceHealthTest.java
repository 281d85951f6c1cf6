package io.sluice.spring.actuate;

import static org.assertj.core.api.Assertions.assertThat;

import com.jayway.jsonpath.JsonPath;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.WebApplicationType;

@Tag("slow")
class SluiceHealthTest {
    private static final String DETAILS = "management.endpoint.health.show-details=always";

    /** Nothing listens there. */
    private static final String NO_REDIS = "sluice.redis.uri=redis://localhost:1";

    @Test
    void memoryStore_isUp() throws Exception {
        try (ActuatorApplication application =
                new ActuatorApplication(WebApplicationType.SERVLET, DETAILS, "sluice.store=memory")) {
            HttpResponse<String> response = application.get("/actuator/health");
            assertThat(JsonPath.<Object>read(response.body(), "$.components.sluice"))
                    .isEqualTo(Map.of("status", "UP", "details", Map.of("store", "memory")));
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = WebApplicationType.class,
            names = {"SERVLET", "REACTIVE"})
    void redisAway_isDegradedAndTheApplicationIsUp(WebApplicationType type) throws Exception {
        try (ActuatorApplication application = new ActuatorApplication(
                type,
                DETAILS,
                NO_REDIS,
                "sluice.redis.connect-wait=0s",
                "sluice.policies[0].name=open",
                "sluice.policies[0].limit=2/h",
                "sluice.policies[1].name=login",
                "sluice.policies[1].limit=2/h",
                "sluice.policies[1].on-store-failure=deny",
                "sluice.policies[2].name=own",
                "sluice.policies[2].limit=2/h",
                "sluice.policies[2].scope=process")) {
            HttpResponse<String> response = application.get("/actuator/health");

            assertThat(response.statusCode()).isEqualTo(200);
            assertThat(JsonPath.<Object>read(response.body(), "$.status")).isEqualTo("UP");
            Object sluice = JsonPath.read(response.body(), "$.components.sluice");
            assertThat(sluice)
                    .isEqualTo(Map.of(
                            "status",
                            "DEGRADED",
                            "details",
                            Map.of(
                                    "store",
                                    "redis",
                                    "available",
                                    false,
                                    "processes",
                                    1,
                                    "on-store-failure",
                                    Map.of("allow", List.of("open"), "deny", List.of("login")))));
            assertThat(application.get("/actuator/health/sluice").statusCode()).isEqualTo(200);
        }
    }

    @Test
    void setting_switchesItOff() throws Exception {
        try (ActuatorApplication application = new ActuatorApplication(
                WebApplicationType.SERVLET, "sluice.store=memory", "management.health.sluice.enabled=false")) {
            assertThat(application.get("/actuator/health/sluice").statusCode()).isEqualTo(404);
        }
    }
}
