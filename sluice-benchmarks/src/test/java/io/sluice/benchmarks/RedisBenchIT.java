package io.sluice.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.testkit.redis.RedisProcess;
import org.junit.jupiter.api.Test;

class RedisBenchIT {
    @Test
    void redis_thatWasGiven_isLeftAsItWas() {
        try (RedisProcess redis = RedisProcess.start("--requirepass", "secret")) {
            redis.command("SET", "mine", "1");

            CommandRun ran = CommandRun.with("redis", "--quick", "--only", "key-bytes", "--redis", redis.uri());

            assertThat(ran.exitCode()).isZero();
            assertThat(ran.out().lines().map(line -> line.replaceAll("\\d+", "#")))
                    .containsExactly(
                            "case,sluice_per_s,p#_us,peer,peer_per_s,ratio",
                            "key-bytes,#,,Redisson,#,#.#",
                            "key-bytes,#,,Bucket#j,#,#.#");
            assertThat(ran.err()).contains("target: key-bytes <= 160: ");
            assertThat(redis.command("KEYS", "*")).isEqualTo("mine");
        }
    }

    @Test
    void redis_ofACluster_isRefused() {
        try (RedisProcess redis = RedisProcess.start("--cluster-enabled", "yes")) {
            CommandRun ran = CommandRun.with("redis", "--quick", "--redis", redis.uri());

            assertThat(ran.exitCode()).isEqualTo(1);
            assertThat(ran.err()).endsWith("belongs to a cluster (expected: a single server)\n");
        }
    }
}
