package io.sluice.spring.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.redis.RedisStore;
import io.sluice.spi.PolicyStore;
import io.sluice.spring.client.PartnerApi;
import io.sluice.testkit.redis.RedisProcess;
import java.net.http.HttpResponse;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.cloud.gateway.filter.ratelimit.RateLimiter;

/** Two replicas of a gateway on one Redis, beside the gateway's own rate limiter. */
class GatewayRedisIT {
    private static final List<String> ROUTES = List.of("""
            ours
            filters[0].name=RequestRateLimiter
            filters[0].args.rate-limiter=#{@sluiceRateLimiter}
            filters[0].args.sluice-rate-limiter.policy=per-tenant""", """
            theirs
            filters[0].name=RequestRateLimiter
            filters[0].args.redis-rate-limiter.replenishRate=1
            filters[0].args.redis-rate-limiter.burstCapacity=3600
            filters[0].args.redis-rate-limiter.requestedTokens=3600""", """
            named
            filters[0]=Sluice=per-key""");

    private static GatewayApp replica(RedisProcess redis, PartnerApi downstream) {
        return new GatewayApp(
                downstream.url(),
                ROUTES,
                "spring.data.redis.host=127.0.0.1",
                "spring.data.redis.port=" + redis.port(),
                "sluice.redis.deadline=10s",
                "sluice.policies[0].name=per-tenant",
                "sluice.policies[0].key=tenant",
                "sluice.policies[0].limit=3/h",
                "sluice.policies[1].name=per-key",
                "sluice.policies[1].key=header.x-key",
                "sluice.policies[1].limit=3/h",
                "sluice.policies[2].name=per-route",
                "sluice.policies[2].key=route",
                "sluice.policies[2].limit=3/h");
    }

    @Test
    void replicas_admitTheLimitTogether_besideTheRateLimiterOfTheGateway() throws Exception {
        try (RedisProcess redis = RedisProcess.start();
                PartnerApi downstream = new PartnerApi();
                GatewayApp first = replica(redis, downstream);
                GatewayApp second = replica(redis, downstream)) {
            assertThat(first.context().getBean(PolicyStore.class)).isInstanceOf(RedisStore.class);
            assertThat(first.context().getBeansOfType(RateLimiter.class))
                    .containsOnlyKeys("sluiceRateLimiter", "redisRateLimiter");
            for (String path : List.of("/ours/a", "/named/a")) {
                String[] headers = {"X-Tenant", "acme", "X-Key", "k"};
                int before = downstream.requests();
                assertThat(first.status(path, headers)).isEqualTo(200);
                assertThat(second.status(path, headers)).isEqualTo(200);
                assertThat(first.status(path, headers)).isEqualTo(200);
                HttpResponse<String> denied = second.get(path, headers);
                assertThat(denied.statusCode()).isEqualTo(429);
                assertThat(denied.headers().firstValueAsLong("Retry-After")).isPresent();
                assertThat(first.status(path, headers)).isEqualTo(429);
                assertThat(downstream.requests()).isEqualTo(before + 3);
            }
            assertThat(first.status("/theirs/a", "X-Tenant", "acme")).isEqualTo(200);
            HttpResponse<String> theirs = second.get("/theirs/a", "X-Tenant", "acme");
            assertThat(theirs.statusCode()).isEqualTo(429);
            assertThat(theirs.headers().firstValue("X-RateLimit-Burst-Capacity"))
                    .hasValue("3600");
        }
    }
}
