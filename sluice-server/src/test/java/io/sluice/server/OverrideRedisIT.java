package io.sluice.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.testkit.Eventually;
import io.sluice.testkit.redis.RedisProcess;
import io.vertx.core.json.JsonObject;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Temporary overrides of two replicas on one Redis. */
class OverrideRedisIT {
    private static final String ACME = "{\"attributes\":{\"tenant\":\"acme\"}}";
    private static final String KEY = "\"policy\":\"per-tenant\",\"key\":{\"tenant\":\"acme\"}";

    @TempDir
    private Path directory;

    private static int admitted(AdminClient client, int requests) {
        int admitted = 0;
        for (int i = 0; i < requests; i++) {
            admitted += new JsonObject(client.post("/v1/check", ACME).body()).getBoolean("allowed") ? 1 : 0;
        }
        return admitted;
    }

    private static int overrides(AdminClient client) {
        return client.json("/v1/overrides").getJsonArray("overrides").size();
    }

    @Test
    void override_holdsOnEveryReplica_survivesRestarts_andItsUseStays() throws Exception {
        Path policies = Files.writeString(directory.resolve("policies.yaml"), """
                version: 1
                policies:
                  - { name: per-tenant, key: [tenant], limit: fixed-window 10 per 1h from-first, on-store-failure: deny }
                """);
        try (RedisProcess redis = RedisProcess.start()) {
            ServerConfig config =
                    AdminClient.config().redis(redis.uri()).policies(policies).build();
            String id;
            try (SluiceServer one = SluiceServer.start(config);
                    SluiceServer two = SluiceServer.start(config)) {
                AdminClient here = new AdminClient(one.port());
                AdminClient there = new AdminClient(two.port());
                assertThat(admitted(here, 4)).isEqualTo(4);
                String put = here.send(here.request("/v1/overrides")
                                .PUT(BodyPublishers.ofString("{" + KEY
                                        + ",\"limit\":\"fixed-window 15 per 1h from-first\",\"ttl\":\"1h\"}")))
                        .body();
                id = new JsonObject(put).getString("id");
                Eventually.await("the other replica has it", () -> overrides(there) == 1);
                assertThat(admitted(there, 3)).isEqualTo(3);
                assertThat(admitted(here, 3)).isEqualTo(3);
            }
            try (SluiceServer three = SluiceServer.start(config)) {
                AdminClient again = new AdminClient(three.port());
                Eventually.await("it survived the restart", () -> overrides(again) == 1);
                assertThat(admitted(again, 100))
                        .as("15, less 4 before it and 6 under it")
                        .isEqualTo(5);
                assertThat(again.send(again.request("/v1/overrides?id=" + id).DELETE())
                                .statusCode())
                        .isEqualTo(200);
                assertThat(admitted(again, 5))
                        .as("the 10 of the policy are used")
                        .isZero();
            }
        }
    }
}
