package io.sluice.spring.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.RateLimitedException;
import io.sluice.spring.autoconfigure.SluiceAutoConfiguration;
import io.sluice.spring.autoconfigure.SluiceRedisAutoConfiguration;
import io.sluice.testkit.redis.RedisProcess;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.http.HttpStatusCode;
import org.springframework.web.client.RestClient;

/** Two replicas of an application call one API. */
class ClientsRedisIT {
    private static final RedisProcess REDIS = RedisProcess.start();
    private static final PartnerApi API = new PartnerApi();

    private final ApplicationContextRunner replica = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    SluiceRedisAutoConfiguration.class,
                    SluiceAutoConfiguration.class,
                    SluiceClientAutoConfiguration.class))
            .withPropertyValues(
                    "sluice.redis.uri=redis://127.0.0.1:" + REDIS.port(),
                    "sluice.redis.deadline=10s",
                    "sluice.policies[0].name=paced",
                    "sluice.policies[0].key=host",
                    "sluice.policies[0].limit=100/h",
                    "sluice.clients.by-policy.policy=paced",
                    "sluice.clients.by-policy.max-wait=1s",
                    "sluice.clients.by-limit.max-wait=1s");

    @BeforeAll
    static void start() {
        assertThat(REDIS.command("PING")).isEqualTo("PONG");
    }

    @AfterAll
    static void stop() {
        API.close();
        REDIS.close();
    }

    private static int status(ApplicationContext replica, String client) {
        return RestClient.builder()
                .requestInterceptor(replica.getBean(SluiceClients.class).interceptor(client))
                .build()
                .get()
                .uri(API.url())
                .retrieve()
                .onStatus(HttpStatusCode::isError, (request, response) -> {})
                .toBodilessEntity()
                .getStatusCode()
                .value();
    }

    @Test
    void replicas_shareTheLimitAndThePauses() {
        replica.withPropertyValues("sluice.clients.by-limit.limit=3/h")
                .run(first -> replica.withPropertyValues("sluice.clients.by-limit.limit=3/h")
                        .run(second -> {
                            assertThat(status(first, "by-limit")).isEqualTo(200);
                            assertThat(status(second, "by-limit")).isEqualTo(200);
                            API.answers(429, Map.of("Retry-After", "120"));
                            assertThat(status(first, "by-limit")).isEqualTo(429);
                            assertThat(status(first, "by-policy")).isEqualTo(429);
                            int requests = API.requests();
                            assertThatThrownBy(() -> status(second, "by-limit"))
                                    .isInstanceOf(RateLimitedException.class);
                            assertThatThrownBy(() -> status(second, "by-policy"))
                                    .isInstanceOfSatisfying(
                                            RateLimitedException.class,
                                            e -> assertThat(e.retryAfter())
                                                    .isBetween(Duration.ofSeconds(1), Duration.ofSeconds(120)));
                            assertThat(API.requests()).isEqualTo(requests).isEqualTo(4);
                        }));
        // Another version of the application has another limit, which is in force from its start on.
        API.answers(200, Map.of());
        replica.withPropertyValues("sluice.clients.by-limit.limit=4/h", "sluice.clients.by-limit.key=other")
                .run(newer -> {
                    for (int i = 0; i < 4; i++) {
                        assertThat(status(newer, "by-limit")).isEqualTo(200);
                    }
                    assertThatThrownBy(() -> status(newer, "by-limit")).isInstanceOf(RateLimitedException.class);
                });
    }
}
