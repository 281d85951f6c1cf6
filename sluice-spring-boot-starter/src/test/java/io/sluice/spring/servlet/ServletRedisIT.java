package io.sluice.spring.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.redis.RedisStore;
import io.sluice.spring.web.TestApplication;
import io.sluice.spring.web.WebFilterContract;
import io.sluice.spring.web.WebRedisContract;
import io.sluice.testkit.redis.RedisProcess;
import io.sluice.testkit.redis.RedisSentinel;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.springframework.boot.WebApplicationType;

class ServletRedisIT extends WebRedisContract {
    @Override
    protected TestApplication start(List<String> properties) {
        return new TestApplication(
                WebApplicationType.SERVLET,
                List.of(ServletFilterTest.Application.class, WebFilterContract.Attributes.class),
                properties);
    }

    @Test
    void sentinel_isShared() throws Exception {
        try (RedisSentinel sentinel = RedisSentinel.start()) {
            String nodes = sentinel.sentinels().stream()
                    .map(node -> "127.0.0.1:" + node.port())
                    .collect(Collectors.joining(","));
            assertSharedLimit(List.of(
                    "spring.data.redis.sentinel.master=" + sentinel.masterName(),
                    "spring.data.redis.sentinel.nodes=" + nodes));
            assertSharedLimit(List.of(
                    "sluice.redis.uri=redis-sentinel://" + nodes + "#" + sentinel.masterName(),
                    "sluice.redis.prefix=own",
                    "spring.data.redis.port=1"));
        }
    }

    @Test
    void ownRedis_isShared() throws Exception {
        try (RedisProcess redis = RedisProcess.start()) {
            assertSharedLimit(List.of("sluice.redis.uri=" + redis.uri(), "spring.data.redis.port=1"));
        }
    }

    @Test
    void redisAway_atStart_startsAndFollowsWhenItIsBack() throws Exception {
        RedisProcess redis = RedisProcess.start();
        try (redis) {
            redis.kill();
            try (TestApplication app = startWithPolicies(List.of(
                    "spring.data.redis.port=" + redis.port(),
                    "sluice.redis.connect-wait=0s",
                    "sluice.redis.deadline=10s"))) {
                // The policy of the tenant denies without Redis.
                assertThat(app.client().get("/hello", "X-Tenant", "acme").statusCode())
                        .isEqualTo(429);
                assertThat(app.client().get("/hello").statusCode()).isEqualTo(200);
                redis.restart();
                RedisStore store = app.bean(RedisStore.class);
                while (!store.isAvailable()) {
                    Thread.onSpinWait();
                }
                assertThat(app.client().get("/hello", "X-Tenant", "acme").statusCode())
                        .isEqualTo(200);
            }
        }
    }
}
