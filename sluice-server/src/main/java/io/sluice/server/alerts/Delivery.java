package io.sluice.server.alerts;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.RequestOptions;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Posts until it is taken: any 2xx. Tries again when the other side does not answer in time, breaks off, is overloaded (429)
 * or has failed (5xx), each time after about twice as long; not when it refuses (other 4xx) or points elsewhere (3xx).
 */
final class Delivery {
    /**
     * How hard it tries.
     *
     * @param timeout how long the other side may take to answer
     * @param attempts how often in all
     * @param pause before the second attempt
     */
    record Patience(Duration timeout, int attempts, Duration pause) {
        static final Patience USUAL = new Patience(Duration.ofSeconds(5), 4, Duration.ofMillis(500));
    }

    private final Vertx vertx;
    private final HttpClient client;
    private final Patience patience;

    Delivery(Vertx vertx, HttpClient client, Patience patience) {
        this.vertx = vertx;
        this.client = client;
        this.patience = patience;
    }

    /** To be called on an event loop; ends there. */
    Future<Void> deliver(String url, String body) {
        Promise<Void> taken = Promise.promise();
        attempt(url, body, 1, taken);
        return taken.future();
    }

    private void attempt(String url, String body, int number, Promise<Void> taken) {
        post(url, body).onComplete(answered -> {
            if (answered.succeeded() && answered.result() / 100 == 2) {
                taken.complete();
                return;
            }
            boolean again = answered.failed() || isPassing(answered.result());
            if (again && number < patience.attempts) {
                vertx.setTimer(pause(number), timer -> attempt(url, body, number + 1, taken));
            } else {
                taken.fail(
                        new IOException((answered.failed() ? reason(answered.cause()) : "answered " + answered.result())
                                + (number == 1 ? "" : ", the last of " + number + " times")));
            }
        });
    }

    private static boolean isPassing(int status) {
        return status / 100 == 5 || status == 429 || status == 408;
    }

    private String reason(Throwable failure) {
        return failure instanceof TimeoutException
                ? "no answer within " + patience.timeout.toMillis() + " ms"
                : String.valueOf(failure.getMessage());
    }

    /** Half of it by chance, so that servers which failed together do not come back together. */
    private long pause(int number) {
        long full = patience.pause.toMillis() << (number - 1);
        return Math.max(1, full / 2 + ThreadLocalRandom.current().nextLong(full / 2 + 1));
    }

    /** The status of the answer; its body is nobody's concern, so the connection ends with it. */
    private Future<Integer> post(String url, String body) {
        try {
            RequestOptions options = new RequestOptions()
                    .setMethod(HttpMethod.POST)
                    .setAbsoluteURI(url)
                    .setConnectTimeout(patience.timeout.toMillis())
                    .setFollowRedirects(false)
                    .putHeader("Content-Type", "application/json")
                    .putHeader("User-Agent", "sluice");
            return client.request(options).compose(request -> status(request, body));
        } catch (RuntimeException e) {
            // The client was closed, or finds something in the URL that others do not.
            return Future.failedFuture(e);
        }
    }

    private Future<Integer> status(HttpClientRequest request, String body) {
        return request.send(body)
                .map(response -> {
                    // Of what is cut off below.
                    response.exceptionHandler(cut -> {});
                    return response.statusCode();
                })
                .timeout(patience.timeout.toMillis(), TimeUnit.MILLISECONDS)
                .onComplete(ended -> request.reset());
    }
}
