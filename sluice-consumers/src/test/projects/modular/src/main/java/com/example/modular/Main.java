package com.example.modular;

import io.sluice.Limit;
import io.sluice.RateLimiter;
import io.sluice.micrometer.LimiterMetrics;
import io.sluice.policy.Policies;
import io.sluice.policy.PolicyEngine;
import io.sluice.redis.RedisStore;
import io.sluice.server.ServerConfig;
import io.sluice.spring.SluiceSettingsException;
import io.sluice.testkit.ManualTime;
import io.sluice.testkit.redis.RedisProcess;
import java.util.Map;

/** Uses each module, and says what it is. */
public final class Main {
    private static final String POLICIES = """
            version: 1
            policies:
              - { name: per-tenant, match: { path: "/api/**" }, key: [tenant], limit: 1/h }
            """;

    private Main() {}

    public static void main(String[] args) {
        say(RateLimiter.class, RateLimiter.of(Limit.parse("1/h")).tryAcquire("alice"));
        say(ManualTime.class, new ManualTime().micros() == ManualTime.START_MICROS);
        say(LimiterMetrics.class, true);
        say(SluiceSettingsException.class, true);
        say(ServerConfig.class, true);
        say(io.sluice.cli.Main.class, true);
        try (RedisProcess redis = RedisProcess.start();
                RedisStore store = RedisStore.connect(redis.uri())) {
            say(RedisProcess.class, "PONG".equals(redis.command("PING")));
            say(RedisStore.class, store.limiter("api", Limit.parse("1/h")).check("alice").allowed());
            try (PolicyEngine engine = PolicyEngine.builder()
                    .policies(Policies.parse(POLICIES, "policies.yaml"))
                    .store(store)
                    .build()) {
                say(
                        PolicyEngine.class,
                        engine.check(Map.of("tenant", "acme", "path", "/api/orders")).allowed());
            }
        }
    }

    private static void say(Class<?> type, boolean works) {
        System.out.println(type.getModule().getName() + " " + works);
    }
}
