package io.sluice.policy;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.Limit;
import io.sluice.redis.RedisStore;
import io.sluice.testkit.ManualTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What one process reserves or holds under a temporary override, another one settles or releases, which has never met the key. */
class TemporaryOverrideRedisIT {
    private static final Map<String, String> ACME = Map.of("tenant", "acme");

    private final ManualTime time = new ManualTime();
    private final String prefix = PolicyRedis.newPrefix();

    private PolicyEngine engine(RedisStore store, String limit) {
        return PolicyEngine.builder()
                .store(store)
                .time(time)
                .policies(EngineTests.policies("- { name: per-tenant, key: [tenant], limit: " + limit + " }\n"))
                .build();
    }

    private TemporaryOverride override(String limit) {
        Instant now = Instant.EPOCH.plusNanos(time.micros() * 1000);
        return new TemporaryOverride(
                "per-tenant", ACME, Limit.parse(limit), now, now.plus(Duration.ofMinutes(30)), null);
    }

    private static void begin(PolicyEngine engine, TemporaryOverride override) {
        engine.beginTemporary(override).toCompletableFuture().join();
        engine.temporaryOverrides(List.of(override));
    }

    private static long remaining(PolicyEngine engine) {
        return engine.check(ACME, 0).results().get(0).decision().remaining();
    }

    @ParameterizedTest
    @CsvSource({
        "token-bucket 1/d burst 200",
        "token-bucket 1 per 1d burst 200 refill interval",
        "leaky-bucket 1/d capacity 200",
        "token-bucket 200 per 1ms burst 200",
        "fixed-window 200 per 1d",
        "fixed-window 200 per 1d from-first",
        "fixed-window 200 per year",
        "sliding-log 200 per 1d",
        "sliding-counter 200 per 1d",
        "sliding-log 200 per 1d lockout 1h"
    })
    void settle_byAnotherProcess_lessAndMore(String limit) {
        RedisStore oneStore = PolicyRedis.store(time, prefix);
        RedisStore twoStore = PolicyRedis.store(time, prefix);
        try (PolicyEngine one = engine(oneStore, "fixed-window 100 per 1d from-first");
                PolicyEngine two = engine(twoStore, "fixed-window 100 per 1d from-first")) {
            TemporaryOverride override = override(limit);
            begin(one, override);
            String less = one.reserve(ACME, 60, Duration.ofMinutes(1)).text().orElseThrow();
            String more = one.reserve(ACME, 10, Duration.ofMinutes(1)).text().orElseThrow();
            two.temporaryOverrides(List.of(override));

            PolicyResult settled = two.settle(less, 25).results().get(0);
            assertThat(settled.limit()).isEqualTo(Limit.parse(limit));
            assertThat(settled.decision().remaining()).isEqualTo(165);
            assertThat(two.settle(more, 160).results().get(0).decision().remaining())
                    .isEqualTo(15);
            assertThat(remaining(one)).isEqualTo(15);
            one.temporaryOverrides(List.of());
            assertThat(remaining(one))
                    .as("185 of the 100 of the policy are used")
                    .isZero();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void holds_areRenewedAndReleasedByAnotherProcess(boolean known) {
        RedisStore oneStore = PolicyRedis.store(time, prefix);
        RedisStore twoStore = PolicyRedis.store(time, prefix);
        try (PolicyEngine one = engine(oneStore, "concurrency 1 hold 30s");
                PolicyEngine two = engine(twoStore, "concurrency 1 hold 30s")) {
            TemporaryOverride override = override("concurrency 3 hold 30s");
            begin(one, override);
            String first = one.hold(ACME, 1).holds().orElseThrow();
            String second = one.hold(ACME, 1).holds().orElseThrow();
            two.temporaryOverrides(known ? List.of(override) : List.of());

            two.release(first);
            time.advance(Duration.ofSeconds(20));
            two.renew(second);
            time.advance(Duration.ofSeconds(20));
            assertThat(remaining(one)).isEqualTo(2);
        }
    }
}
