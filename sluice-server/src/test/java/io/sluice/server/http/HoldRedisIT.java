package io.sluice.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.redis.RedisStore;
import io.sluice.testkit.ManualTime;
import io.sluice.testkit.redis.RedisProcess;
import java.net.http.HttpResponse;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Replicas on one Redis hold, renew and release. */
class HoldRedisIT {
    private static RedisProcess redis;
    private static RedisStore firstStore;
    private static RedisStore secondStore;
    private static HoldServer first;
    private static HoldServer second;

    @BeforeAll
    static void start() {
        redis = RedisProcess.start();
        // Long deadlines, so that Redis decides on a busy machine too.
        firstStore = store(Duration.ofMinutes(1));
        secondStore = store(Duration.ofMinutes(1));
        first = new HoldServer(firstStore);
        second = new HoldServer(secondStore);
    }

    private static RedisStore store(Duration deadline) {
        return RedisStore.builder().uri(redis.uri()).deadline(deadline).build();
    }

    @AfterAll
    static void end() {
        first.close();
        second.close();
        firstStore.close();
        secondStore.close();
        redis.close();
    }

    @Test
    void holds_areRenewedAndReleasedByAnotherReplica_once() {
        String holds = first.held("shared");
        assertThat(second.free("shared")).isEqualTo(1);
        assertThat(second.renew(holds)).isEqualTo(204);
        assertThat(second.release(holds)).isEqualTo(204);
        assertThat(first.release(holds)).isEqualTo(409);
        assertThat(second.renew(holds)).isEqualTo(409);
        assertThat(first.free("shared")).isEqualTo(2);
    }

    @Test
    void replicas_countTogether() {
        first.held("together");
        second.held("together");
        HttpResponse<String> denied = first.check("together", 1);
        assertThat(denied.body()).startsWith("{\"allowed\":false,").doesNotContain("holds");
        assertThat(denied.headers().firstValue("Retry-After")).hasValue("1");
        assertThat(second.remaining("rate", "together")).isEqualTo(98);
    }

    /** On virtual time there is no heartbeat, so nothing else is counted. */
    @Test
    void checkAndRelease_areOneRoundTripEach() {
        try (RedisProcess quiet = RedisProcess.start();
                RedisStore store = RedisStore.builder()
                        .uri(quiet.uri())
                        .deadline(Duration.ofMinutes(1))
                        .virtualTime(new ManualTime())
                        .build();
                HoldServer server = new HoldServer(store)) {
            assertThat(server.release(server.held("warm"))).isEqualTo(204);
            quiet.command("CONFIG", "RESETSTAT");
            String holds = server.held("trips");
            assertThat(quiet.calls("evalsha")).as("check").isEqualTo(1);
            assertThat(server.release(holds)).isEqualTo(204);
            assertThat(quiet.calls("evalsha")).as("and release").isEqualTo(2);
        }
    }

    @Test
    void redisDoesNotAnswer_releaseIs503_andCanBeRepeated() {
        try (RedisStore hastyStore = store(Duration.ofMillis(200));
                HoldServer hasty = new HoldServer(hastyStore)) {
            String holds = first.held("away");
            hasty.free("away");
            redis.pause();
            try {
                assertThat(hasty.release(holds)).isEqualTo(503);
                assertThat(hasty.renew(holds)).isEqualTo(503);
                assertThat(hasty.check("uncounted", 1).body())
                        .startsWith("{\"allowed\":true,")
                        .contains("\"degraded\":true")
                        .doesNotContain("holds");
            } finally {
                redis.resume();
            }
            // Redis may have executed the attempt after all.
            assertThat(second.release(holds)).isIn(204, 409);
            assertThat(second.free("away")).isEqualTo(2);
        }
    }
}
