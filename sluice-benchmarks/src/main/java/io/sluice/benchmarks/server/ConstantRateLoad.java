package io.sluice.benchmarks.server;

import io.sluice.benchmarks.load.Latencies;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.PoolOptions;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/*
 * Calls are sent at fixed times, even if earlier calls have no reply yet. So a server that stalls still gets calls, and each
 * call that waits counts. Health checks have their own connections, so they do not queue behind other calls.
 */
/** A load of checks at a constant rate, with health checks of every server. */
final class ConstantRateLoad implements AutoCloseable {
    private static final int CHECK_CONNECTIONS = 32;
    private static final int HEALTH_CONNECTIONS = 8;
    private static final int HEALTH_PER_SECOND = 400;
    private static final String DEGRADED = "\"degraded\":true";

    private final Vertx vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1));
    private final Context context = vertx.getOrCreateContext();
    private final HttpClient checks = client(CHECK_CONNECTIONS);
    private final HttpClient health = client(HEALTH_CONNECTIONS);
    private final List<Integer> ports;
    private final Supplier<String> body;

    /** The results; they grow while calls are in flight. */
    static final class Seen {
        final Latencies checks = new Latencies();
        final Latencies health = new Latencies();
        final AtomicLong answered = new AtomicLong();
        final AtomicLong degraded = new AtomicLong();
        final AtomicLong failed = new AtomicLong();
    }

    ConstantRateLoad(List<Integer> ports, Supplier<String> body) {
        this.ports = ports;
        this.body = body;
    }

    private HttpClient client(int connections) {
        // The server closes idle connections. A request that meets the close is not a failure of the server.
        return vertx.createHttpClient(
                new HttpClientOptions().setKeepAliveTimeout(10), new PoolOptions().setHttp1MaxSize(connections));
    }

    /** Sends one check, from any thread. It runs on the event loop: elsewhere a reply could arrive before its handler is set. */
    Future<Buffer> check(int port) {
        Promise<Buffer> answered = Promise.promise();
        context.runOnContext(unused -> checkHere(port).onComplete(answered));
        return answered.future();
    }

    private Future<Buffer> checkHere(int port) {
        Buffer sent = Buffer.buffer(body.get());
        return checks.request(HttpMethod.POST, port, "127.0.0.1", "/v1/check")
                .compose(request -> request.send(sent))
                .compose(response -> response.statusCode() == 200
                        ? response.body()
                        : Future.failedFuture("status " + response.statusCode()));
    }

    private Future<Buffer> health(int port) {
        return health.request(HttpMethod.GET, port, "127.0.0.1", "/healthz")
                .compose(request -> request.send())
                .compose(response -> response.body());
    }

    /** Sends calls at that rate until the thread is interrupted. */
    void run(double perSecond, Seen seen) {
        long start = System.nanoTime();
        double checkEvery = 1e9 / perSecond;
        double healthEvery = 1e9 / HEALTH_PER_SECOND;
        long checked = 0;
        long asked = 0;
        while (!Thread.currentThread().isInterrupted()) {
            long now = System.nanoTime() - start;
            for (; checked * checkEvery <= now; checked++) {
                sendCheck(ports.get((int) (checked % ports.size())), seen);
            }
            for (; asked * healthEvery <= now; asked++) {
                sendHealth(ports.get((int) (asked % ports.size())), seen);
            }
            LockSupport.parkNanos(200_000);
        }
    }

    private void sendCheck(int port, Seen seen) {
        long sent = System.nanoTime();
        context.runOnContext(unused -> checkHere(port).onComplete(answer -> {
            seen.checks.add(System.nanoTime() - sent);
            seen.answered.incrementAndGet();
            if (answer.failed()) {
                seen.failed.incrementAndGet();
            } else if (contains(answer.result())) {
                seen.degraded.incrementAndGet();
            }
        }));
    }

    private void sendHealth(int port, Seen seen) {
        long sent = System.nanoTime();
        context.runOnContext(unused -> health(port).onComplete(answer -> {
            seen.health.add(System.nanoTime() - sent);
            if (answer.failed()) {
                seen.failed.incrementAndGet();
            }
        }));
    }

    private static boolean contains(Buffer answer) {
        return answer.toString(StandardCharsets.UTF_8).contains(DEGRADED);
    }

    @Override
    public void close() {
        vertx.close().toCompletionStage().toCompletableFuture().join();
    }
}
