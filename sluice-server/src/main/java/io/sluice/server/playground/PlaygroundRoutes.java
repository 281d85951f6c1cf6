package io.sluice.server.playground;

import io.sluice.server.http.Problems;
import io.sluice.server.http.RequestBodies;
import io.sluice.server.http.Routes;
import io.sluice.server.simulate.trace.InvalidTraceException;
import io.sluice.server.simulate.trace.KeyRequest;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.Semaphore;

/**
 * The routes of the playground: {@code POST /v1/simulate} returns the chart of a simulation, {@code POST /v1/simulate/trace} its
 * requests as CSV. Simulations run on worker threads, few at a time.
 */
public final class PlaygroundRoutes {
    static final int MOST_AT_ONCE = 2;

    private static final int MOST_BYTES = 1 << 20;
    private static final Duration LONGEST = Duration.ofSeconds(5);

    private final Vertx vertx;
    private final Semaphore running = new Semaphore(MOST_AT_ONCE);

    /** @param vertx has the worker threads that decide traces */
    public PlaygroundRoutes(Vertx vertx) {
        this.vertx = vertx;
    }

    public void addTo(Routes routes) {
        routes.read(HttpMethod.POST, "/v1/simulate", this::simulate)
                .read(HttpMethod.POST, "/v1/simulate/trace", this::trace);
    }

    private void simulate(HttpServerRequest request) {
        RequestBodies.read(
                request,
                MOST_BYTES,
                body -> run(request, "application/json", () -> {
                    long deadline = System.nanoTime() + LONGEST.toNanos();
                    return PlaygroundRun.of(SimulationRequest.parse(body), () -> System.nanoTime() - deadline > 0)
                            .toBuffer();
                }));
    }

    private void trace(HttpServerRequest request) {
        RequestBodies.read(
                request,
                MOST_BYTES,
                body -> run(request, "text/csv; charset=utf-8", () -> csv(SimulationRequest.parse(body))));
    }

    private static Buffer csv(SimulationRequest simulation) {
        StringBuilder csv = new StringBuilder("time_us,key,permits\n");
        for (KeyRequest each : simulation.requests()) {
            csv.append(each.timeMicros()).append(',').append(each.key().text()).append(',');
            csv.append(each.permits()).append('\n');
        }
        return Buffer.buffer(csv.toString());
    }

    private void run(HttpServerRequest request, String type, Callable<Buffer> work) {
        if (!running.tryAcquire()) {
            request.response().putHeader("Retry-After", "1");
            Problems.answer(
                    request, 503, MOST_AT_ONCE + " simulations run already (expected: to try again in a second)");
            return;
        }
        vertx.executeBlocking(work, false)
                .onComplete(unused -> running.release())
                .onSuccess(result ->
                        request.response().putHeader("Content-Type", type).end(result))
                .onFailure(failure -> {
                    if (failure instanceof IllegalArgumentException || failure instanceof InvalidTraceException) {
                        Problems.answer(request, 400, String.valueOf(failure.getMessage()));
                    } else {
                        Problems.failed(request, failure);
                    }
                });
    }
}
