package io.sluice.server.rls;

import io.sluice.policy.Policies;
import io.sluice.policy.envoy.EnvoyConfig;
import io.sluice.redis.RedisStore;
import io.sluice.testkit.redis.RedisProcess;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

class RlsDebtIT implements DebtContract {
    private static final AtomicInteger STORES = new AtomicInteger();
    private static RedisProcess redis;

    @BeforeAll
    static void start() {
        redis = RedisProcess.start();
    }

    @AfterAll
    static void stop() {
        redis.close();
    }

    /** A store with keys of its own, and a long deadline, so that Redis decides on a busy machine too. */
    private static RedisStore store() {
        return RedisStore.builder()
                .uri(redis.uri())
                .prefix("debt" + STORES.incrementAndGet())
                .deadline(Duration.ofMinutes(1))
                .build();
    }

    @Override
    public RlsTestServer serve(Policies policies) {
        return RlsTestServer.by(policies, store());
    }

    @Override
    public RlsTestServer serve(EnvoyConfig config) {
        return RlsTestServer.by(config, store());
    }
}
