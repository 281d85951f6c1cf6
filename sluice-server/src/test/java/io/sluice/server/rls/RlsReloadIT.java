package io.sluice.server.rls;

import io.sluice.redis.RedisStore;
import io.sluice.testkit.redis.RedisProcess;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class RlsReloadIT {
    @Test
    void calls_whileFilesAreReplaced_areDecidedByOneVersionAndChargedOnce() throws Exception {
        try (RedisProcess redis = RedisProcess.start();
                Served served = Served.by(
                        ReloadedRules.version(0),
                        // On a machine that is busy, too, Redis decides and nobody else.
                        RedisStore.builder()
                                .uri(redis.uri())
                                .deadline(Duration.ofMinutes(1))
                                .build())) {
            ReloadedRules.requireChargedOnce(served);
        }
    }
}
