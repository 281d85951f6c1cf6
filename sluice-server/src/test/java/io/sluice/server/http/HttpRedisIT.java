package io.sluice.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.policy.Policies;
import io.sluice.policy.PolicyEngine;
import io.sluice.redis.RedisStore;
import io.sluice.server.RawConnection;
import io.sluice.server.TestServer;
import io.sluice.server.decide.RequestDecider;
import io.sluice.testkit.redis.RedisProcess;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpMethod;
import java.time.Duration;
import java.util.Collections;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** HTTP with Redis: decisions come later, from another thread. */
class HttpRedisIT {
    private static final Vertx vertx = Vertx.vertx();
    private static RedisProcess redis;
    private static RedisStore store;
    private static PolicyEngine engine;
    private static int port;

    @BeforeAll
    static void start() {
        redis = RedisProcess.start();
        // A long timeout, so that Redis decides on a busy machine too.
        store = RedisStore.builder()
                .uri(redis.uri())
                .deadline(Duration.ofMinutes(1))
                .build();
        engine = PolicyEngine.builder()
                .store(store)
                .policies(Policies.parse(TestServer.THREE_EACH, "test"))
                .build();
        RequestDecider checks = new RequestDecider(engine, false);
        Routes routes = new Routes(RouteGuard.NONE)
                .open(HttpMethod.POST, "/v1/check", CheckRoute.check(checks, false))
                .open(HttpMethod.POST, "/v1/check:batch", new BatchRoute(checks));
        port = vertx.createHttpServer()
                .requestHandler(routes)
                .listen(0, "127.0.0.1")
                .await()
                .actualPort();
    }

    @AfterAll
    static void end() {
        vertx.close().await();
        engine.close();
        store.close();
        redis.close();
    }

    @Test
    void batch_isSentAtOnce_andDecidedInOrder() {
        String body = "{\"checks\":["
                + String.join(",", Collections.nCopies(1000, "{\"attributes\":{\"tenant\":\"a\"}}")) + "]}";
        try (RawConnection wire = new RawConnection(port)) {
            // Loads the script into Redis.
            wire.send(RawConnection.check("{\"attributes\":{\"tenant\":\"first\"}}"))
                    .answer();
            redis.command("CONFIG", "RESETSTAT");

            String answer = wire.send("POST /v1/check:batch HTTP/1.1\r\nHost: x\r\nContent-Length: " + body.length()
                            + "\r\n\r\n" + body)
                    .answer();

            assertThat(Pattern.compile("\\{\"allowed\":(true|false),\"retry")
                            .matcher(answer)
                            .results()
                            .map(each -> each.group(1))
                            .toList())
                    .hasSize(1000)
                    .startsWith("true", "true", "true")
                    .satisfies(each ->
                            assertThat(Collections.frequency(each, "true")).isEqualTo(3));
            assertThat(redis.calls("evalsha")).isBetween(1L, 200L);
        }
    }

    @Test
    void pipelinedRequests_areAnsweredInOrder() {
        try (RawConnection wire = new RawConnection(port)) {
            StringBuilder all = new StringBuilder();
            for (int i = 0; i < 50; i++) {
                all.append(RawConnection.check("{\"attributes\":{\"tenant\":\"p" + i + "\"}}"));
                all.append("GET /nope").append(i).append(" HTTP/1.1\r\nHost: x\r\n\r\n");
            }
            wire.send(all.toString());

            for (int i = 0; i < 50; i++) {
                assertThat(wire.answer()).contains("\"tenant\":\"p" + i + "\"", "\"remaining\":2,");
                assertThat(wire.answer()).contains("/nope" + i + "\"");
            }
        }
    }
}
