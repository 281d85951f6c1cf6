package io.sluice.benchmarks.server;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.PoolOptions;
import java.util.concurrent.ThreadLocalRandom;

/** HTTP checks of a thousand tenants, for machines without wrk. */
final class HttpCalls implements AutoCloseable {
    private final Vertx vertx = Vertx.vertx();
    private final HttpClient client;
    private final String body;

    HttpCalls(int connections, String body) {
        this.body = body;
        client = vertx.createHttpClient(new HttpClientOptions(), new PoolOptions().setHttp1MaxSize(connections));
    }

    Future<?> call(int port) {
        String tenant = "tenant-" + ThreadLocalRandom.current().nextInt(1000);
        Buffer sent = Buffer.buffer(body.replace("TENANT", tenant));
        return client.request(HttpMethod.POST, port, "127.0.0.1", "/v1/check")
                .compose(request -> request.send(sent))
                .compose(response -> response.statusCode() == 200
                        ? response.body()
                        : Future.failedFuture("status " + response.statusCode()));
    }

    @Override
    public void close() {
        vertx.close().toCompletionStage().toCompletableFuture().join();
    }
}
