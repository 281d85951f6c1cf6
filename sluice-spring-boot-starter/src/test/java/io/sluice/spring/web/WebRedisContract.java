package io.sluice.spring.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.redis.RedisStore;
import io.sluice.spi.PolicyStore;
import io.sluice.testkit.redis.RedisCluster;
import io.sluice.testkit.redis.RedisProcess;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Two replicas of an application on one Redis admit exactly the limit together. One test class for each web stack runs it. */
public abstract class WebRedisContract {
    private static final int LIMIT = 7;
    private static final int REQUESTS = 40;

    /** Starts an application with these settings. */
    protected abstract TestApplication start(List<String> properties);

    /** Starts an application with policies, and these settings of Redis. */
    protected final TestApplication startWithPolicies(List<String> redis) {
        List<String> properties = new ArrayList<>(redis);
        properties.add("sluice.policies[0].name=all");
        properties.add("sluice.policies[0].limit=fixed-window 1000 per 1d from-first");
        properties.add("sluice.policies[1].name=per-tenant");
        properties.add("sluice.policies[1].key=tenant");
        properties.add("sluice.policies[1].limit=fixed-window " + LIMIT + " per 1d from-first");
        properties.add("sluice.policies[1].on-store-failure=deny");
        return start(properties);
    }

    /** Asserts that two applications with these settings of Redis admit the limit together. */
    protected final void assertSharedLimit(List<String> redis) throws Exception {
        List<String> settings = new ArrayList<>(redis);
        // A long deadline, so that Redis decides on a busy machine too.
        settings.add("sluice.redis.deadline=30s");
        try (TestApplication one = startWithPolicies(settings);
                TestApplication other = startWithPolicies(settings)) {
            assertThat(one.bean(PolicyStore.class)).isInstanceOf(RedisStore.class);
            List<CompletableFuture<HttpResponse<String>>> requests = new ArrayList<>();
            for (int i = 0; i < REQUESTS; i++) {
                TestApplication app = i % 2 == 0 ? one : other;
                requests.add(app.client().getAsync("/hello", "X-Tenant", "acme"));
            }
            int admitted = 0;
            for (CompletableFuture<HttpResponse<String>> request : requests) {
                int status = request.get(1, TimeUnit.MINUTES).statusCode();
                assertThat(status).isIn(200, 429);
                admitted += status == 200 ? 1 : 0;
            }
            assertThat(admitted).isEqualTo(LIMIT);
        }
    }

    @Test
    void standalone_withPassword_isShared() throws Exception {
        try (RedisProcess redis = RedisProcess.start("--requirepass", "secret")) {
            assertSharedLimit(List.of("spring.data.redis.port=" + redis.port(), "spring.data.redis.password=secret"));
        }
    }

    @Test
    void cluster_isShared() throws Exception {
        try (RedisCluster cluster = RedisCluster.start(3, 0)) {
            String nodes = cluster.nodes().stream()
                    .map(node -> "127.0.0.1:" + node.port())
                    .collect(Collectors.joining(","));
            assertSharedLimit(List.of("spring.data.redis.cluster.nodes=" + nodes));
        }
    }
}
