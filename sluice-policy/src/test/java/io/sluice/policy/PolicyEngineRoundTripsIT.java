package io.sluice.policy;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.redis.RedisStore;
import io.sluice.testkit.ManualTime;
import io.sluice.testkit.redis.RedisProcess;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * The number of calls to Redis, as Redis counts them. On virtual time there is no heartbeat, so nothing else is
 * counted.
 */
class PolicyEngineRoundTripsIT {
    private static final String FOUR = """
            - { name: global, limit: fixed-window 3/d lockout 1h }
            - { name: per-tenant, key: [tenant], limit: sliding-log 10/d, reserve: { share: 10%, for: { a: b } } }
            - { name: per-user, key: [tenant, user], limit: 4 per 1d, mode: shadow }
            - { name: per-ip, key: [ip], limit: leaky-bucket 6/d, overrides: [{ match: { ip: 10.0.0.1 }, limit: 9/d }] }
            - { name: not-for-this, match: { tenant: other }, limit: 1/d }
            """;

    @Test
    void decision_ofFourPolicies_isOneCall() {
        ManualTime time = new ManualTime();
        Map<String, String> request = Map.of("tenant", "acme", "user", "ann", "ip", "10.0.0.1");
        try (RedisProcess redis = RedisProcess.start();
                RedisStore store =
                        PolicyRedis.patient().uri(redis.uri()).virtualTime(time).build();
                PolicyEngine engine = EngineTests.engine(store, time, FOUR)) {
            // The first call loads the script.
            engine.check(request, 0);
            redis.command("CONFIG", "RESETSTAT");
            assertThat(engine.check(request, 2).results()).hasSize(4);
            assertThat(redis.calls("evalsha")).as("allowed").isEqualTo(1);
            assertThat(engine.check(request, 2).violated()).containsExactly("global");
            assertThat(redis.calls("evalsha")).as("and denied").isEqualTo(2);
            PolicyRequest other = new PolicyRequest(Map.of("tenant", "acme", "user", "bob"), 1);
            assertThat(engine.check(List.of(new PolicyRequest(request, 0), other), List.of())
                            .each())
                    .hasSize(2);
            assertThat(redis.calls("evalsha")).as("and several together").isEqualTo(3);
            assertThat(redis.calls("eval")).isZero();
            assertThat(redis.calls("hget")).isZero();
        }
    }
}
