package io.sluice.server.alerts;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sluice.policy.Alert;
import io.sluice.policy.AlertCondition;
import io.sluice.policy.AlertEvent;
import io.sluice.policy.Counts;
import io.sluice.policy.WebhookHosts;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class WebhooksTest {
    private static final Instant BEGAN = Instant.parse("2026-01-31T12:00:00Z");
    private static final Delivery.RetryPolicy PATIENT =
            new Delivery.RetryPolicy(Duration.ofSeconds(30), 4, Duration.ofMillis(2));

    private final Vertx vertx = Vertx.vertx();
    private final BlockingQueue<JsonObject> posted = new LinkedBlockingQueue<>();

    /** The statuses of the responses in order; then 200. 0 never responds. */
    private final Queue<Integer> answers = new ConcurrentLinkedQueue<>();

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private int port;

    @BeforeEach
    void listen() {
        HttpServer server = vertx.createHttpServer().requestHandler(this::answer);
        port = server.listen(0, "127.0.0.1")
                .toCompletionStage()
                .toCompletableFuture()
                .join()
                .actualPort();
    }

    @AfterEach
    void close() {
        vertx.close().toCompletionStage().toCompletableFuture().join();
    }

    private void answer(HttpServerRequest request) {
        request.body().onSuccess(body -> {
            Integer status = answers.poll();
            posted.add(body.toJsonObject());
            if (status == null || status > 0) {
                request.response().setStatusCode(status == null ? 200 : status).end("ignored");
            }
        });
    }

    private Webhooks webhooks(Delivery.RetryPolicy patience) {
        Webhooks webhooks = new Webhooks(vertx, WebhookHosts.ANY, patience);
        webhooks.bindTo(registry);
        return webhooks;
    }

    private Alert alert(String name) {
        return new Alert(
                name,
                "login",
                AlertCondition.parse("denied / total > 30%"),
                Duration.ofMinutes(1),
                1,
                List.of("log", "http://127.0.0.1:" + port + "/secret"));
    }

    private AlertEvent event(String name, boolean firing, int seconds) {
        return new AlertEvent(alert(name), firing, new Counts(6, 4, 1, 2), BEGAN.plusSeconds(seconds));
    }

    private JsonObject next() throws InterruptedException {
        return Objects.requireNonNull(posted.poll(60, TimeUnit.SECONDS), "nothing was posted");
    }

    private double counted(String outcome) {
        return registry.get("sluice.alerts.webhooks")
                .tag("outcome", outcome)
                .functionCounter()
                .count();
    }

    private static void stop(Webhooks webhooks, Duration within) {
        webhooks.stop(within).toCompletionStage().toCompletableFuture().join();
    }

    @Test
    void firingAndResolved_arriveInOrder() throws InterruptedException {
        Webhooks webhooks = webhooks(PATIENT);

        webhooks.changed(event("many", true, 0));
        webhooks.changed(event("many", false, 90));

        assertThat(next()).isEqualTo(new JsonObject("""
                                {"alert":"many","state":"firing","policy":"login","when":"denied / total > 30%",
                                 "over_seconds":60,"since":"2026-01-31T12:00:00Z","at":"2026-01-31T12:00:00Z",
                                 "counts":{"total":11,"allowed":6,"denied":4,"shadow_denied":1,"degraded":2}}"""));
        JsonObject resolved = next();
        assertThat(resolved.getString("state")).isEqualTo("resolved");
        assertThat(resolved.getString("since")).isEqualTo("2026-01-31T12:00:00Z");
        assertThat(resolved.getString("at")).isEqualTo("2026-01-31T12:01:30Z");
        stop(webhooks, Duration.ofSeconds(30));
        assertThat(counted("delivered")).isEqualTo(2);
    }

    @Test
    void temporaryFailure_isRetried_beforeTheNextAlert() throws InterruptedException {
        answers.addAll(List.of(500, 429, 503, 204));
        Webhooks webhooks = webhooks(PATIENT);

        webhooks.changed(event("a", true, 0));
        webhooks.changed(event("b", true, 0));

        for (int i = 0; i < 4; i++) {
            assertThat(next().getString("alert")).isEqualTo("a");
        }
        assertThat(next().getString("alert")).isEqualTo("b");
        stop(webhooks, Duration.ofSeconds(30));
        assertThat(counted("delivered")).isEqualTo(2);
        assertThat(counted("failed")).isZero();
    }

    @Test
    void refusal_isNotRetried() throws InterruptedException {
        answers.addAll(List.of(404, 302));
        Webhooks webhooks = webhooks(PATIENT);

        webhooks.changed(event("a", true, 0));
        webhooks.changed(event("b", true, 0));
        webhooks.changed(event("c", true, 0));

        assertThat(next().getString("alert")).isEqualTo("a");
        assertThat(next().getString("alert")).isEqualTo("b");
        assertThat(next().getString("alert")).isEqualTo("c");
        stop(webhooks, Duration.ofSeconds(30));
        assertThat(counted("failed")).isEqualTo(2);
    }

    @Test
    void timeout_isGivenUpAfterTheLastAttempt() throws InterruptedException {
        answers.addAll(List.of(0, 0));
        Webhooks webhooks = webhooks(new Delivery.RetryPolicy(Duration.ofSeconds(1), 2, Duration.ofMillis(2)));

        webhooks.changed(event("a", true, 0));

        assertThat(next().getString("alert")).isEqualTo("a");
        assertThat(next().getString("alert")).isEqualTo("a");
        stop(webhooks, Duration.ofSeconds(30));
        assertThat(counted("failed")).isEqualTo(1);
        assertThat(posted).isEmpty();
    }

    @Test
    void tooManyAlerts_blockNothing_andDropTheOldest() throws InterruptedException {
        answers.add(0);
        Webhooks webhooks = webhooks(PATIENT);
        webhooks.changed(event("stuck", true, 0));
        assertThat(next().getString("alert")).isEqualTo("stuck");
        int extra = 10;

        // The webhook does not respond: this ends only if the caller does not wait for it.
        for (int i = 0; i < DeliveryQueue.MAX_WAITING + extra; i++) {
            webhooks.changed(event("alert " + i, true, 0));
        }
        stop(webhooks, Duration.ofMillis(1));

        assertThat(counted("dropped")).isEqualTo(extra);
        assertThat(counted("failed")).isEqualTo(DeliveryQueue.MAX_WAITING + 1);
        assertThat(counted("delivered")).isZero();
    }

    @Test
    void unreachableHost_isGivenUpAfterTheLastAttempt() {
        vertx.close().toCompletionStage().toCompletableFuture().join();
        Vertx other = Vertx.vertx();
        try {
            Webhooks webhooks = new Webhooks(other, WebhookHosts.ANY, PATIENT);
            webhooks.bindTo(registry);

            webhooks.changed(event("a", true, 0));
            stop(webhooks, Duration.ofSeconds(30));

            assertThat(counted("failed")).isEqualTo(1);
        } finally {
            other.close().toCompletionStage().toCompletableFuture().join();
        }
    }

    @Test
    void alert_withoutAUrl_isNotPosted() {
        Webhooks webhooks = webhooks(PATIENT);
        Alert quiet =
                new Alert("quiet", null, AlertCondition.parse("denied > 1"), Duration.ofMinutes(1), 1, List.of("log"));

        webhooks.changed(new AlertEvent(quiet, true, Counts.NONE, BEGAN));
        stop(webhooks, Duration.ofSeconds(30));

        assertThat(posted).isEmpty();
    }

    /** A server that allows more hosts may have published the policies in Redis. */
    @Test
    void hostThatIsNotAllowed_receivesNothing() {
        Webhooks webhooks = new Webhooks(vertx, new WebhookHosts(List.of("10.0.0.0/8", "localhost")), PATIENT);
        webhooks.bindTo(registry);

        webhooks.changed(event("a", true, 0));
        stop(webhooks, Duration.ofSeconds(30));

        assertThat(counted("refused")).isEqualTo(1);
        assertThat(counted("delivered") + counted("failed")).isZero();
        assertThat(posted).isEmpty();
    }
}
