package io.sluice.policy;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.redis.RedisStore;
import io.sluice.testkit.redis.RedisProcess;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Cancelling a request gives its permits back, on the shared store and in this process. */
@Timeout(120)
class PolicyEngineCancelIT {
    private static final Map<String, String> REQUEST = Map.of("tenant", "acme");
    private static final int CALLS = 20;
    private static final String POLICIES = """
            - { name: shared, limit: fixed-window 1000 per 365d from-first }
            - { name: here, limit: fixed-window 1000 per 365d from-first, scope: process }
            """;

    @Test
    void cancel_whileRedisHasNotAnswered_givesEverythingBack() {
        try (RedisProcess redis = RedisProcess.start();
                RedisStore store = PolicyRedis.patient().uri(redis.uri()).build();
                PolicyEngine engine = PolicyEngine.builder()
                        .policies(EngineTests.policies(POLICIES))
                        .store(store)
                        .build()) {
            assertThat(remaining(engine.check(REQUEST, 1))).containsExactly(999L, 999L);
            List<CompletableFuture<?>> calls = new ArrayList<>();
            redis.pause();
            try {
                for (int i = 0; i < CALLS; i++) {
                    calls.add(engine.checkAsync(REQUEST, 1).toCompletableFuture());
                    calls.add(engine.checkAsync(List.of(new PolicyRequest(REQUEST, 1)), List.of())
                            .toCompletableFuture());
                }
                for (CompletableFuture<?> call : calls.subList(0, CALLS)) {
                    assertThat(call.cancel(false)).isTrue();
                }
                for (CompletableFuture<?> call : calls.subList(CALLS, 2 * CALLS)) {
                    assertThat(call.orTimeout(1, TimeUnit.MILLISECONDS)).failsWithin(1, TimeUnit.MINUTES);
                }
            } finally {
                redis.resume();
            }
            // The cancelled calls are answered and given back before this is decided, or soon after.
            List<Long> left = remaining(engine.check(REQUEST, 0));
            while (!left.equals(List.of(999L, 999L))) {
                assertThat(left).allMatch(remaining -> remaining <= 999);
                left = remaining(engine.check(REQUEST, 0));
            }
        }
    }

    private static List<Long> remaining(PolicyDecision decision) {
        return decision.results().stream()
                .map(result -> result.decision().remaining())
                .toList();
    }
}
