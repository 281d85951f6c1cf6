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
 * Posts a body to a URL, with retries. Any 2xx is a success. It retries after a timeout, a broken connection, 408, 429 and 5xx,
 * each time after about twice the pause; it does not retry after another 4xx or a redirect (3xx).
 */
final class Delivery {
    /**
     * When to retry.
     *
     * @param timeout the maximum time of one attempt
     * @param attempts the maximum number of attempts
     * @param pause the pause before the second attempt
     */
    record RetryPolicy(Duration timeout, int attempts, Duration pause) {
        static final RetryPolicy DEFAULT = new RetryPolicy(Duration.ofSeconds(5), 4, Duration.ofMillis(500));
    }

    private final Vertx vertx;
    private final HttpClient client;
    private final RetryPolicy retry;

    Delivery(Vertx vertx, HttpClient client, RetryPolicy retry) {
        this.vertx = vertx;
        this.client = client;
        this.retry = retry;
    }

    /** Posts the body. To be called on an event loop; the future completes there. */
    Future<Void> deliver(String url, String body) {
        Promise<Void> delivered = Promise.promise();
        attempt(url, body, 1, delivered);
        return delivered.future();
    }

    private void attempt(String url, String body, int number, Promise<Void> delivered) {
        post(url, body).onComplete(answered -> {
            if (answered.succeeded() && answered.result() / 100 == 2) {
                delivered.complete();
                return;
            }
            boolean retryable = answered.failed() || isTemporary(answered.result());
            if (retryable && number < retry.attempts) {
                vertx.setTimer(pause(number), timer -> attempt(url, body, number + 1, delivered));
            } else {
                delivered.fail(
                        new IOException((answered.failed() ? reason(answered.cause()) : "answered " + answered.result())
                                + (number == 1 ? "" : ", the last of " + number + " times")));
            }
        });
    }

    private static boolean isTemporary(int status) {
        return status / 100 == 5 || status == 429 || status == 408;
    }

    private String reason(Throwable failure) {
        return failure instanceof TimeoutException
                ? "no answer within " + retry.timeout.toMillis() + " ms"
                : String.valueOf(failure.getMessage());
    }

    /** Half of the pause is random, so that servers that failed together do not retry together. */
    private long pause(int number) {
        long full = retry.pause.toMillis() << (number - 1);
        return Math.max(1, full / 2 + ThreadLocalRandom.current().nextLong(full / 2 + 1));
    }

    /** Returns the status of the response. The body is ignored, so the connection is closed after the status. */
    private Future<Integer> post(String url, String body) {
        try {
            RequestOptions options = new RequestOptions()
                    .setMethod(HttpMethod.POST)
                    .setAbsoluteURI(url)
                    .setConnectTimeout(retry.timeout.toMillis())
                    .setFollowRedirects(false)
                    .putHeader("Content-Type", "application/json")
                    .putHeader("User-Agent", "sluice");
            return client.request(options).compose(request -> status(request, body));
        } catch (RuntimeException e) {
            // The client was closed, or it does not accept the URL.
            return Future.failedFuture(e);
        }
    }

    private Future<Integer> status(HttpClientRequest request, String body) {
        return request.send(body)
                .map(response -> {
                    // The reset below causes one.
                    response.exceptionHandler(cut -> {});
                    return response.statusCode();
                })
                .timeout(retry.timeout.toMillis(), TimeUnit.MILLISECONDS)
                .onComplete(ended -> request.reset());
    }
}
