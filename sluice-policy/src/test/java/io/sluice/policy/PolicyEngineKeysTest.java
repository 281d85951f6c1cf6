package io.sluice.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.memory.MemoryStore;
import io.sluice.testkit.ManualTime;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Different values always have different keys, whatever clients send. */
class PolicyEngineKeysTest {
    private static final String LONG = "x".repeat(5_000);
    private static final String MEGABYTE = "x".repeat(1 << 20);

    /** Values that would collide if they were joined, cut, trimmed, decoded or compared carelessly. */
    private static final List<String> HOSTILE = List.of(
            "",
            " ",
            "a",
            "A",
            "a,",
            ",a",
            "a,b",
            "a\\",
            "a\\,b",
            "\\",
            "a:b",
            "a}{b",
            "#",
            "##",
            "a\nb",
            "a\u0000b",
            "\u00e9",
            "e\u0301",
            "\ud800",
            "\ud801",
            "\ufffd",
            "%61",
            "=",
            "10.0.0.1",
            "10.0.0.0/8",
            "=10.0.0.0/8",
            "x".repeat(199),
            "x".repeat(200),
            "x".repeat(201),
            LONG,
            LONG + "y");

    @Test
    void hostileValues_inTwoParts_haveDifferentKeys() {
        MemoryStore store = MemoryStore.builder().time(new ManualTime()).build();
        String policy = "- { name: p, key: [a, b], limit: 1/d }\n- { name: q, key: [a/8, b], limit: 1/d }\n";
        Set<List<String>> networks = new HashSet<>();
        try (PolicyEngine engine = EngineTests.engine(store, new ManualTime(), policy)) {
            int pairs = 0;
            for (String a : HOSTILE) {
                for (String b : HOSTILE) {
                    PolicyDecision decision = engine.check(Map.of("a", a, "b", b));
                    assertThat(decision.allowed()).as("a new pair").isTrue();
                    assertThat(decision.results().get(0).key()).isEqualTo(Map.of("a", a, "b", b));
                    networks.add(List.of(a.equals("10.0.0.1") ? "the network" : a, b));
                    pairs++;
                }
            }
            assertThat(store.size()).isEqualTo(pairs + networks.size());
            engine.topKeys()
                    .busiest(10_000)
                    .forEach(top -> assertThat(top.key()).hasSizeLessThanOrEqualTo(200));
        }
    }

    @Test
    void key_ofOneMegabyte_isCounted() {
        try (PolicyEngine engine =
                EngineTests.engine(MemoryStore.create(), new ManualTime(), "- { name: p, key: [a], limit: 2/d }\n")) {
            assertThat(engine.check(Map.of("a", MEGABYTE), 2).allowed()).isTrue();
            assertThat(engine.check(Map.of("a", MEGABYTE)).allowed()).isFalse();
            assertThat(engine.check(Map.of("a", MEGABYTE + "y")).allowed()).isTrue();
        }
    }

    @Test
    void checkAsync_sameRequests_givesTheSameAsCheck() {
        ManualTime time = new ManualTime();
        try (PolicyEngine one = PolicyEngine.builder()
                        .policies(EngineTests.policies(AllOrNothingContract.FOUR))
                        .time(time)
                        .build();
                PolicyEngine other = PolicyEngine.builder()
                        .policies(EngineTests.policies(AllOrNothingContract.FOUR))
                        .time(time)
                        .build()) {
            List<DecisionSnapshot> sync = new ArrayList<>();
            List<DecisionSnapshot> async = new ArrayList<>();
            for (int i = 0; i < 12; i++) {
                Map<String, String> request = Map.of("tenant", "acme", "user", "ann" + i % 3, "ip", "10.0.0.1");
                sync.add(DecisionSnapshot.of(one.check(request, i % 4)));
                async.add(DecisionSnapshot.of(
                        other.checkAsync(request, i % 4).toCompletableFuture().join()));
            }
            assertThat(async).isEqualTo(sync);
            assertThat(sync).extracting(DecisionSnapshot::allowed).contains(true, false);
        }
    }

    @Test
    void permits_negative_areRefused() {
        try (PolicyEngine engine = PolicyEngine.builder().build()) {
            assertThatThrownBy(() -> engine.check(Map.of(), -1)).hasMessage("permits: -1 (expected: >= 0)");
            assertThatThrownBy(() -> engine.checkAsync(Map.of(), -1)).hasMessage("permits: -1 (expected: >= 0)");
            assertThatThrownBy(() -> engine.explain(Map.of(), -1)).hasMessage("permits: -1 (expected: >= 0)");
        }
    }
}
