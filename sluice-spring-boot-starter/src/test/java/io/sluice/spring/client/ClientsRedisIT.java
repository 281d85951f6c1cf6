package io.sluice.spring.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.RateLimitedException;
import io.sluice.spring.autoconfigure.SluiceAutoConfiguration;
import io.sluice.spring.autoconfigure.SluiceRedisAutoConfiguration;
import io.sluice.testkit.redis.RedisProcess;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatus;
import org.springframework.http.HttpStatusCode;
import org.springframework.web.client.RestClient;
import org.springframework.web.reactive.function.client.ClientRequest;
import org.springframework.web.reactive.function.client.ClientResponse;
import reactor.core.publisher.Mono;

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

    /** The thread of the connection has to complete the decisions of all others. */
    @Test
    void webClient_sendsNotOnTheThreadOfTheConnection() {
        replica.withPropertyValues("sluice.clients.by-limit.limit=100/h", "sluice.clients.by-limit.key=threads")
                .run(context -> {
                    SluiceWebClients clients = context.getBean(SluiceWebClients.class);
                    ClientRequest request = ClientRequest.create(HttpMethod.GET, URI.create(API.url()))
                            .build();
                    for (String client : List.of("by-limit", "by-policy")) {
                        List<String> threads = new CopyOnWriteArrayList<>();
                        for (int i = 0; i < 20; i++) {
                            clients.filter(client)
                                    .filter(request, sent -> {
                                        threads.add(Thread.currentThread().getName());
                                        return Mono.just(ClientResponse.create(HttpStatus.OK)
                                                .build());
                                    })
                                    .block(Duration.ofMinutes(1));
                        }
                        assertThat(threads).hasSize(20).noneMatch(name -> name.contains("lettuce"));
                    }
                });
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
