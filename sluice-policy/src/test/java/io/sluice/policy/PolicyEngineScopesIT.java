package io.sluice.policy;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.testkit.ManualTime;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Policies of both scopes on one request: all are charged, or none. */
class PolicyEngineScopesIT {
    private static final Map<String, String> BOTH = Map.of("scope", "both");
    private static final Map<String, String> SHARED = Map.of("scope", "shared");
    private static final Map<String, String> PROCESS = Map.of("scope", "process");

    private final ManualTime time = new ManualTime();
    private final String prefix = PolicyRedis.newPrefix();

    /** An engine with these limits, for requests on both policies or on one of them. */
    private PolicyEngine engine(String shared, String process) {
        return EngineTests.engine(
                PolicyRedis.store(time, prefix),
                time,
                "- { name: shared, match: { scope: [both, shared] }, limit: " + shared + " }\n"
                        + "- { name: process, match: { scope: [both, process] }, limit: " + process
                        + ", scope: process }\n");
    }

    private static List<Long> remaining(PolicyDecision decision) {
        return decision.results().stream()
                .map(result -> result.decision().remaining())
                .toList();
    }

    @Test
    void twoProcesses_shareOneLimitAndHaveOneEach() {
        try (PolicyEngine one = engine("10/d", "10/d");
                PolicyEngine other = engine("10/d", "10/d")) {
            assertThat(remaining(one.check(BOTH, 3))).containsExactly(7L, 7L);
            assertThat(remaining(other.check(BOTH, 2))).containsExactly(5L, 8L);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "10 per 1h",
                "3 per 1h burst 10 refill interval",
                "leaky-bucket 4 per 1h capacity 10",
                "fixed-window 10 per 1h",
                "fixed-window 10 per 1h from-first",
                "sliding-log 10 per 1h",
                "sliding-counter 10 per 1h"
            })
    void sharedDenies_theProcessGivesBackExactlyThePermits(String limit) {
        try (PolicyEngine engine = engine("5/d", limit)) {
            for (long used : new long[] {0, 4}) {
                engine.check(PROCESS, used);
                time.advanceMicros(1_234_567);
                PolicyDecision before = engine.check(PROCESS, 0);
                PolicyDecision denied = engine.check(BOTH, 6);
                assertThat(denied.violated()).containsExactly("shared");
                assertThat(denied.results().get(1).decision().allowed())
                        .as("its own verdict")
                        .isTrue();
                assertThat(denied.results().get(1).decision().remaining()).isEqualTo(10 - used);
                assertThat(DecisionSnapshot.of(engine.check(PROCESS, 0))).isEqualTo(DecisionSnapshot.of(before));
            }
        }
    }

    @Test
    void process_permitsUsedUp_startsTheLockout() {
        try (PolicyEngine engine = engine("5/d", "sliding-log 3 per 1d lockout 1h")) {
            for (int i = 0; i < 3; i++) {
                assertThat(engine.check(BOTH, 1).allowed()).isTrue();
            }
            time.advanceMicros(23 * 3_600_000_000L + 1_800_000_000L);
            assertThat(engine.check(BOTH, 1).retryAfterMicros())
                    .as("half an hour until there is room, an hour of lockout")
                    .isEqualTo(3_600_000_000L);
        }
    }

    @Test
    void processDenies_nothingIsChargedInRedis() {
        try (PolicyEngine engine = engine("5/d", "3/d")) {
            PolicyDecision denied = engine.check(BOTH, 4);
            assertThat(denied.violated()).containsExactly("process");
            assertThat(remaining(denied)).containsExactly(5L, 3L);
            assertThat(remaining(engine.check(SHARED, 0))).containsExactly(5L);
        }
    }

    @Test
    void bothDeny_bothAreNamedAndBothLock() {
        try (PolicyEngine engine = engine("5/d lockout 1h", "3/d lockout 1h")) {
            assertThat(engine.check(BOTH, 6).violated()).containsExactly("shared", "process");
            assertThat(engine.check(SHARED).violated()).containsExactly("shared");
            assertThat(engine.check(PROCESS).violated()).containsExactly("process");
        }
    }

    @Test
    void oneDenies_onlyThatLocks() {
        try (PolicyEngine engine = engine("5/d lockout 1h", "3/d lockout 1h")) {
            assertThat(engine.check(BOTH, 4).violated()).containsExactly("process");
            assertThat(engine.check(SHARED).allowed()).isTrue();
            assertThat(engine.check(PROCESS).allowed()).isFalse();
            time.advanceMicros(3_600_000_000L);
            assertThat(engine.check(SHARED, 4).allowed()).isTrue();
            assertThat(engine.check(BOTH, 1).violated()).containsExactly("shared");
            assertThat(engine.check(SHARED).allowed()).isFalse();
            assertThat(engine.check(PROCESS).allowed()).isTrue();
        }
    }
}
