package io.sluice.benchmarks.spring;

import io.sluice.benchmarks.load.ClosedLoopLoad;
import io.sluice.benchmarks.load.Executables;
import io.sluice.benchmarks.load.Load;
import io.sluice.benchmarks.load.Wrk;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.http.RequestOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;

/** GET requests with API keys on connections that are kept alive, by wrk or by one event loop. */
final class GetCalls implements AutoCloseable {
    static final String KEY_HEADER = "X-Api-Key";

    private static final int CONNECTIONS = 64;

    private final Optional<Path> wrk = Executables.find(Wrk.NAME);
    private final Path script;
    private final Vertx vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1));
    private final HttpClient client = vertx.createHttpClient(
            new HttpClientOptions().setKeepAliveTimeout(10), new PoolOptions().setHttp1MaxSize(CONNECTIONS));
    private final String path;
    private final int keys;

    /**
     * Requests to one path.
     *
     * @param keys the number of API keys
     */
    GetCalls(String path, int keys) throws IOException {
        this.path = path;
        this.keys = keys;
        script = Files.writeString(Files.createTempFile("sluice-bench", ".lua"), lua());
    }

    /** A load on a server. */
    Load load(int port) {
        return wrk.<Load>map(command -> new Wrk(command, script, CONNECTIONS, "http://127.0.0.1:" + port + path))
                .orElseGet(() -> new ClosedLoopLoad(CONNECTIONS, chain -> call(port)));
    }

    private Future<?> call(int port) {
        RequestOptions options = new RequestOptions()
                .setMethod(HttpMethod.GET)
                .setPort(port)
                .setHost("127.0.0.1")
                .setURI(path)
                .putHeader(KEY_HEADER, "key-" + ThreadLocalRandom.current().nextInt(keys));
        return client.request(options)
                .compose(request -> request.send())
                .compose(response -> response.statusCode() == 200
                        ? response.body()
                        : Future.failedFuture("status " + response.statusCode()));
    }

    private String lua() {
        return """
                local requests = {}
                local next = 0
                init = function()
                  for i = 0, %1$d - 1 do
                    requests[i] = wrk.format('GET', '%2$s', {['%3$s'] = 'key-' .. i})
                  end
                end
                request = function()
                  next = (next + 1) %% %1$d
                  return requests[next]
                end
                """.formatted(keys, path, KEY_HEADER);
    }

    @Override
    public void close() throws IOException {
        vertx.close().toCompletionStage().toCompletableFuture().join();
        Files.deleteIfExists(script);
    }
}
