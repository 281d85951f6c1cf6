package io.sluice.cli.serve;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.testkit.Eventually;
import io.sluice.testkit.redis.RedisProcess;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The service while Redis is not available. */
class ServeRedisIT {
    @TempDir
    Path directory;

    private ServerProcess start(RedisProcess redis, String prefix, String onStoreFailure) throws IOException {
        Path policies = Files.writeString(
                directory.resolve(prefix + ".yaml"),
                "version: 1\npolicies:\n  - { name: api, limit: 1000000/s, on-store-failure: " + onStoreFailure
                        + " }\n");
        // In the environment, where other users cannot read it.
        return ServerProcess.start(
                Map.of("SLUICE_REDIS", redis.uri(), "SLUICE_REDIS_PREFIX", prefix), "--config", policies.toString());
    }

    private static int ready(ServerProcess server) {
        return Http.get(server, "/readyz").statusCode();
    }

    @Test
    void redisAway_isNotReady_onlyWhereAPolicyDenies_andReadyAgainWithoutBeingAsked() throws Exception {
        try (RedisProcess redis = RedisProcess.start();
                ServerProcess denying = start(redis, "denying", "deny");
                ServerProcess allowing = start(redis, "allowing", "allow")) {
            Eventually.await("both are ready", () -> ready(denying) == 200 && ready(allowing) == 200);

            redis.kill();

            Eventually.await("one is not ready", () -> {
                HttpResponse<String> denied = Http.check(denying, "", 1);
                HttpResponse<String> allowed = Http.check(allowing, "", 1);
                assertThat(denied.statusCode()).isEqualTo(200);
                assertThat(allowed.statusCode()).isEqualTo(200);
                return ready(denying) == 503;
            });
            assertThat(Http.get(denying, "/readyz").body())
                    .isEqualTo("{\"status\":\"store unreachable\",\"denying\":[\"api\"],\"denying-policies\":1}");
            assertThat(Http.get(denying, "/healthz").statusCode()).isEqualTo(200);
            assertThat(Http.check(denying, "", 1).body()).contains("\"allowed\":false", "\"degraded\":true");
            assertThat(Http.check(allowing, "", 1).body()).contains("\"allowed\":true", "\"degraded\":true");
            assertThat(ready(allowing)).isEqualTo(200);

            redis.restart();

            // A load balancer sends no checks to a server that is not ready.
            Eventually.await("it is ready again", () -> ready(denying) == 200);
            Eventually.await(
                    "it decides by Redis",
                    () -> Http.check(denying, "", 1).body().contains("\"allowed\":true"));
            assertThat(denying.log()).contains("the store is not reachable", "the store is reachable again");
        }
    }

    @Test
    void redisAway_andBack_underLoad_isNever5xx() throws Exception {
        try (RedisProcess redis = RedisProcess.start();
                ServerProcess server = start(redis, "load", "local")) {
            AtomicBoolean enough = new AtomicBoolean();
            Map<Integer, LongAdder> statuses = new ConcurrentHashMap<>();
            List<Thread> clients = Stream.generate(() -> new Thread(() -> {
                        while (!enough.get()) {
                            int status = Http.check(server, "", 1).statusCode();
                            statuses.computeIfAbsent(status, unused -> new LongAdder())
                                    .increment();
                        }
                    }))
                    .limit(4)
                    .toList();
            clients.forEach(Thread::start);
            LongAdder answered = statuses.computeIfAbsent(200, unused -> new LongAdder());
            Runnable nothing = () -> {};
            for (Runnable fault :
                    List.<Runnable>of(redis::kill, redis::restart, redis::pause, redis::resume, nothing)) {
                long before = answered.sum();
                Eventually.await("more is answered", () -> answered.sum() > before + 200);
                fault.run();
            }
            enough.set(true);
            for (Thread client : clients) {
                client.join();
            }

            assertThat(statuses).containsOnlyKeys(200);
        }
    }
}
