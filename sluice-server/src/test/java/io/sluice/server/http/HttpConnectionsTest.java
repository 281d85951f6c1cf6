package io.sluice.server.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.sluice.server.vertx.ByteBudget;
import io.sluice.server.vertx.HeaderTimeout;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClientAgent;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.http.StreamResetException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Many requests on one HTTP/2 connection. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class HttpConnectionsTest {
    private final Vertx vertx = Vertx.vertx();
    private final Context loop = vertx.getOrCreateContext();
    private final HttpClientAgent client = vertx.createHttpClient(
            new HttpClientOptions().setProtocolVersion(HttpVersion.HTTP_2).setHttp2ClearTextUpgrade(false),
            new PoolOptions().setHttp2MaxSize(1));
    private final BlockingQueue<HttpServerRequest> asked = new LinkedBlockingQueue<>();
    private @Nullable HttpConnections connections;
    private int port;

    private void open(Duration idle) {
        Handler<HttpServerRequest> handler = request -> {
            if (request.path().equals("/now")) {
                request.response().end();
            } else {
                asked.add(request);
            }
        };
        port = on(() -> {
            HttpServer server = vertx.createHttpServer();
            connections = HttpConnections.install(
                    vertx,
                    server,
                    new HeaderTimeout(HttpConnections.requestTimeout(idle)),
                    new ByteBudget(100_000_000),
                    idle,
                    handler);
            return server.listen(0, "127.0.0.1").map(HttpServer::actualPort);
        });
    }

    @AfterEach
    void close() {
        get(vertx.close());
    }

    private interface Task<T> {
        Future<T> run();
    }

    private <T> T on(Task<T> task) {
        return get(
                Future.future(promise -> loop.runOnContext(unused -> task.run().onComplete(promise))));
    }

    private static <T> T get(Future<T> future) {
        return future.toCompletionStage().toCompletableFuture().join();
    }

    private int trackedRequests() {
        return on(() -> Future.succeededFuture(connections == null ? -1 : connections.trackedRequests()));
    }

    private void awaitKept(int count) {
        while (trackedRequests() != count) {
            LockSupport.parkNanos(1_000_000);
        }
    }

    private HttpClientRequest request(String path) {
        return get(client.request(HttpMethod.POST, port, "127.0.0.1", path));
    }

    @Test
    void cancelledRequests_areNotTracked() throws Exception {
        open(Duration.ofMinutes(5));
        List<HttpClientRequest> sent = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            HttpClientRequest whole = request("/later");
            whole.exceptionHandler(cancelled -> {}).end();
            sent.add(whole);
            HttpClientRequest begun = request("/later");
            begun.exceptionHandler(cancelled -> {}).setChunked(true).sendHead();
            sent.add(begun);
        }
        for (int i = 0; i < sent.size(); i++) {
            asked.take();
        }
        assertThat(trackedRequests()).isEqualTo(100);

        sent.forEach(one -> one.reset(8));

        awaitKept(0);
    }

    @Test
    void answeredRequests_behindAnOpenOne_areNotTracked() throws Exception {
        open(Duration.ofMinutes(5));
        request("/later").end();
        asked.take();

        int most = 0;
        for (int i = 0; i < 500; i++) {
            HttpClientRequest request = request("/now");
            request.end();
            get(request.response());
            most = Math.max(most, trackedRequests());
        }

        assertThat(most).isLessThan(50);
    }

    @Test
    void incompleteRequest_isReset_andOthersOfTheConnectionAreNot() throws Exception {
        open(Duration.ofMillis(500));
        HttpClientRequest patient = request("/later");
        patient.end();
        HttpServerRequest waiting = asked.take();
        HttpClientRequest slow = request("/later");
        slow.setChunked(true).sendHead();

        assertThat(catchThrowable(() -> get(slow.response())))
                .isInstanceOf(CompletionException.class)
                .hasCauseInstanceOf(StreamResetException.class);

        loop.runOnContext(unused -> waiting.response().end());
        assertThat(get(patient.response()).statusCode()).isEqualTo(200);
        awaitKept(0);
    }

    @Test
    void answeredRequest_thatStaysIncomplete_isReset() {
        open(Duration.ofMillis(500));
        HttpClientRequest slow = request("/now");
        slow.setChunked(true).sendHead();
        assertThat(get(slow.response()).statusCode()).isEqualTo(200);

        awaitKept(0);

        // The next request uses the same connection. (A ping of this client may miss its response.)
        HttpClientRequest next = request("/now");
        next.end();
        assertThat(get(next.response()).statusCode()).isEqualTo(200);
        assertThat(next.connection()).isSameAs(slow.connection());
    }
}
