package io.sluice.compatibility;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.testkit.redis.RedisProcess;
import org.junit.jupiter.api.Test;

/** The tests of this module run on the server that they are meant for. */
class ServerIT {
    @Test
    void server_isTheOneOfThisRun_version8OrNewer() {
        String name = System.getProperty("sluice.server.name", "redis");
        try (RedisProcess server = RedisProcess.start()) {
            String info = server.command("INFO", "server").toString();
            assertThat(info).containsPattern("(?m)^" + name + "_version:([89]|[1-9][0-9])\\.");
            assertThat(info.contains("server_name:valkey")).isEqualTo(name.equals("valkey"));
        }
    }
}
