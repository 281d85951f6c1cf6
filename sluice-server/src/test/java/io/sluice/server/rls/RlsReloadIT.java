package io.sluice.server.rls;

import io.sluice.redis.RedisStore;
import io.sluice.testkit.redis.RedisProcess;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class RlsReloadIT {
    @Test
    void calls_whileFilesAreReplaced_areDecidedByOneVersionAndChargedOnce() throws Exception {
        try (RedisProcess redis = RedisProcess.start();
                RlsTestServer served = RlsTestServer.by(
                        ReloadedRules.version(0),
                        // A long timeout, so that Redis decides on a busy machine too.
                        RedisStore.builder()
                                .uri(redis.uri())
                                .deadline(Duration.ofMinutes(1))
                                .build())) {
            ReloadedRules.requireChargedOnce(served);
        }
    }
}
