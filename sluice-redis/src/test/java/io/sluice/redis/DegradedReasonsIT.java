package io.sluice.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.Limit;
import io.sluice.RateLimiter;
import io.sluice.testkit.Eventually;
import io.sluice.testkit.redis.RedisProcess;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests that the log says why limiters answer without Redis, and when Redis is back. */
class DegradedReasonsIT {
    private final RedisProcess redis = RedisProcess.start();
    private final LogLines lines = new LogLines();
    /** A busy machine is no outage. */
    private final RedisStore store = RedisStore.builder()
            .uri(redis.uri())
            .deadline(Duration.ofSeconds(2))
            .build();

    private final RateLimiter limiter = store.limiter("limiter", Limit.parse("1000/s"));

    @AfterEach
    void close() {
        store.close();
        lines.close();
        redis.close();
    }

    private void assertSaid(Runnable fault, Runnable end, String... reason) {
        Eventually.within(
                Duration.ofSeconds(30), "decided", () -> !limiter.check("key").degraded());
        assertThat(lines.with("degraded")).isEmpty();
        fault.run();
        Eventually.within(
                Duration.ofSeconds(30), "degraded", () -> limiter.check("key").degraded());
        assertThat(lines.with("degraded, limiters answer without Redis"))
                .first()
                .asString()
                .startsWith("WARNING: ")
                .contains(reason);
        end.run();
        Eventually.within(
                Duration.ofSeconds(30),
                () -> "it is back: " + lines.all(),
                () -> !limiter.check("key").degraded() && isBackSaid());
    }

    /** The state may change several times, but the last line has the final state. */
    private boolean isBackSaid() {
        List<String> said = lines.with("degraded");
        return said.get(said.size() - 1).startsWith("INFO: no longer degraded");
    }

    @Test
    void paused_noAnswerWithinTheDeadline() {
        assertSaid(redis::pause, redis::resume, "no answer within the deadline");
    }

    @Test
    void killed_notConnected() {
        assertSaid(redis::kill, redis::restart, "onnect");
    }

    @Test
    void demoted_readonly() {
        assertSaid(
                () -> redis.command("REPLICAOF", "127.0.0.1", "1"),
                () -> redis.command("REPLICAOF", "NO", "ONE"),
                "READONLY");
    }

    @Test
    void outOfMemory_oom() {
        assertSaid(
                () -> redis.command("CONFIG", "SET", "maxmemory", "1"),
                () -> redis.command("CONFIG", "SET", "maxmemory", "0"),
                "OOM");
    }

    /** If there was never a connection, the reason is the failed connection attempt. */
    @Test
    void refusedFromTheStart_reasonIsTheFailedConnection() {
        redis.kill();
        try (RedisStore away = RedisStore.builder()
                .uri(redis.uri())
                .connectWait(Duration.ofMillis(100))
                .build()) {
            assertThat(away.limiter("limiter", Limit.parse("1/s")).check("key").degraded())
                    .isTrue();
            assertThat(lines.with("degraded, limiters answer without Redis: not connected to Redis:"))
                    .hasSize(1)
                    .first()
                    .asString()
                    .contains("Connection refused");
        }
    }
}
