package io.sluice.server.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.policy.Policies;
import io.sluice.policy.PolicyEngine;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/** A listener that does not read its events. */
class SlowListenerTest {
    private static final long LONG = TimeUnit.SECONDS.toNanos(60);

    private static String policies(int count) {
        StringBuilder yaml = new StringBuilder("version: 1\npolicies:\n");
        for (int i = 0; i < count; i++) {
            yaml.append("  - { name: policy-")
                    .append(i)
                    .append(", match: { a: v")
                    .append(i)
                    .append(" }, limit: 5/s }\n");
        }
        return yaml.toString();
    }

    private static void await(DecisionEvents events, int listeners) {
        long start = System.nanoTime();
        while (events.listening() != listeners) {
            assertThat(System.nanoTime() - start).as("waited").isLessThan(LONG);
            LockSupport.parkNanos(1_000_000);
        }
    }

    @Test
    void listenerThatDoesNotRead_isDropped() throws Exception {
        Vertx vertx = Vertx.vertx();
        try (PolicyEngine engine = PolicyEngine.builder()
                .policies(Policies.parse(policies(1000), "test.yaml"))
                .build()) {
            DecisionEvents events = new DecisionEvents(vertx, engine, 2);
            HttpServer server = vertx.createHttpServer()
                    .requestHandler(events::handle)
                    .listen(0, "127.0.0.1")
                    .toCompletionStage()
                    .toCompletableFuture()
                    .get();
            try (Socket slow = new Socket(InetAddress.getLoopbackAddress(), server.actualPort())) {
                slow.getOutputStream()
                        .write("GET /v1/events HTTP/1.1\r\nHost: here\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
                assertThat(slow.getInputStream().read()).isEqualTo('H');
                await(events, 1);
                await(events, 0);
            }
        } finally {
            vertx.close().toCompletionStage().toCompletableFuture().get();
        }
    }
}
