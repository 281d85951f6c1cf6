package io.sluice.spring.actuate;

import static org.assertj.core.api.Assertions.assertThat;

import com.jayway.jsonpath.JsonPath;
import io.sluice.testkit.Eventually;
import io.sluice.testkit.redis.RedisProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.Test;
import org.springframework.boot.WebApplicationType;

class SluiceHealthIT {
    @Test
    void redis_killedAndBack_isUpThenDegradedThenUp() {
        try (RedisProcess redis = RedisProcess.start();
                ActuatorApplication application = new ActuatorApplication(
                        WebApplicationType.SERVLET,
                        "management.endpoint.health.show-details=always",
                        "management.endpoints.web.exposure.include=health,sluice",
                        "sluice.redis.uri=" + redis.uri())) {
            Eventually.await("UP", () -> sluice(application).equals("UP"));
            assertThat(get(application, "/actuator/sluice", "$.store.kind")).isEqualTo("redis");
            assertThat(get(application, "/actuator/sluice", "$.store.processes"))
                    .isEqualTo(1);

            redis.kill();
            Eventually.await("DEGRADED", () -> sluice(application).equals("DEGRADED"));
            assertThat(get(application, "/actuator/health", "$.status")).isEqualTo("UP");

            redis.restart();
            Eventually.await("UP again", () -> sluice(application).equals("UP"));
        }
    }

    private static Object sluice(ActuatorApplication application) {
        return get(application, "/actuator/health", "$.components.sluice.status");
    }

    private static Object get(ActuatorApplication application, String path, String field) {
        try {
            HttpResponse<String> response = application.get(path);
            assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
            return JsonPath.parse(response.body()).read(field, Object.class);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
