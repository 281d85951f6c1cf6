package io.sluice.policy.top;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.Decision;
import io.sluice.Limit;
import io.sluice.policy.Mode;
import io.sluice.policy.PolicyResult;
import io.sluice.policy.TopKey;
import io.sluice.testkit.ManualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class TopKeyCounterTest {
    private final ManualTime time = new ManualTime();
    private final TopKeyCounter tops = new TopKeyCounter(time);

    private void add(int times, String policy, String key, boolean denied) {
        for (int i = 0; i < times; i++) {
            tops.add(policy, key, denied);
        }
    }

    private static PolicyResult result(Decision decision) {
        return new PolicyResult("p", Map.of(), Limit.parse("1/s"), Mode.ENFORCE, decision);
    }

    private static void inAThread(Runnable task) throws InterruptedException {
        Thread thread = new Thread(task);
        thread.start();
        thread.join();
    }

    @Test
    void top_fewKeys_isExactAndSorted() {
        add(3, "p", "a", false);
        add(2, "p", "b", true);
        add(5, "q", "a", false);
        add(1, "q", "b", true);
        assertThat(tops.busiest(3))
                .containsExactly(new TopKey("q", "a", 5, 0), new TopKey("p", "a", 3, 0), new TopKey("p", "b", 2, 0));
        assertThat(tops.denied(10)).containsExactly(new TopKey("p", "b", 2, 0), new TopKey("q", "b", 1, 0));
        assertThat(tops.denied(0)).isEmpty();
        assertThat(tops.error()).isZero();
        assertThatThrownBy(() -> tops.busiest(-1)).hasMessage("n: -1 (expected: >= 0)");
    }

    @Test
    void top_afterTwoMinutes_forgetsOlderKeys() {
        add(3, "p", "a", true);
        time.advance(Duration.ofMinutes(1));
        add(2, "p", "a", true);
        add(4, "p", "b", true);
        assertThat(tops.busiest(9)).containsExactly(new TopKey("p", "a", 5, 0), new TopKey("p", "b", 4, 0));
        time.advance(Duration.ofMinutes(1));
        assertThat(tops.busiest(9)).containsExactly(new TopKey("p", "b", 4, 0), new TopKey("p", "a", 2, 0));
        assertThat(tops.denied(9)).containsExactly(new TopKey("p", "b", 4, 0), new TopKey("p", "a", 2, 0));
        time.advance(Duration.ofMinutes(1));
        assertThat(tops.busiest(9)).isEmpty();
        assertThat(tops.denied(9)).isEmpty();
    }

    @Test
    void top_manyRequests_isEstimated() {
        Random random = new Random(1);
        PolicyResult allowed = result(Decision.allowed(1, 0, 0));
        PolicyResult denied = result(Decision.denied(0, 1, 1));
        for (int i = 0; i < 1_000_000; i++) {
            boolean rare = i % 10 == 0;
            String[] keys = {rare ? "rare" : "usual", ""};
            tops.add(List.of(rare ? denied : allowed, allowed), keys, random.nextInt());
        }
        assertThat(tops.busiest(10)).extracting(TopKey::key).containsExactly("usual", "rare");
        assertThat(tops.busiest(1).get(0).count()).as("within 8 deviations").isBetween(880_000L, 920_000L);
        assertThat(tops.denied(10)).extracting(TopKey::key).containsExactly("rare");
        assertThat(tops.denied(1).get(0).count()).isBetween(93_000L, 107_000L);
        time.advance(Duration.ofMinutes(2));
        add(3, "p", "late", false);
        assertThat(tops.busiest(1)).extracting(TopKey::count).containsExactly(3L);
    }

    @Test
    void close_stopsTheRotation() {
        tops.close();
        assertThat(time.scheduled()).isZero();
    }

    @Test
    void top_severalThreads_countsAreMerged() throws Exception {
        for (int i = 0; i < 5; i++) {
            inAThread(() -> add(10, "p", "a", true));
        }
        assertThat(tops.busiest(1)).containsExactly(new TopKey("p", "a", 50, 0));
    }

    @Test
    void top_stripesAndRotations_boundsHold() throws Exception {
        int capacity = 50;
        HeavyHitters hitters = new HeavyHitters(4, capacity);
        Map<String, Long> exact = new HashMap<>();
        Random random = new Random(3);
        long additions = 0;
        for (int turn = 0; turn < 3; turn++) {
            hitters.rotate();
            if (turn == 1) {
                // Two rotations after the first additions, none of them is left.
                exact.clear();
                additions = 0;
            }
            for (int part = 0; part < 4; part++) {
                inAThread(() -> {
                    for (int i = 0; i < 5000; i++) {
                        String key = "key" + (int) Math.pow(3000, random.nextDouble());
                        hitters.add("p", key, SpaceSaving.hash("p", key));
                        exact.merge(key, 1L, Long::sum);
                    }
                });
                additions += 5000;
            }
        }
        assertThat(hitters.skipped()).isZero();
        assertThat(hitters.error()).isPositive().isLessThanOrEqualTo(additions / capacity);
        Map<String, Long> missing = new HashMap<>(exact);
        List<TopKey> all = hitters.top(Integer.MAX_VALUE);
        for (TopKey top : all) {
            assertThat(exact.get(top.key())).isBetween(top.count() - top.error(), top.count());
            assertThat(top.error()).isBetween(0L, hitters.error());
            missing.remove(top.key());
        }
        assertThat(missing.values()).allSatisfy(count -> assertThat(count).isLessThanOrEqualTo(hitters.error()));
        assertThat(all).isSortedAccordingTo((one, other) -> Long.compare(other.count(), one.count()));
        assertThat(all.get(0).key()).isEqualTo("key1");
    }

    @Test
    void add_manyThreads_countsOrSkipsEveryKey() throws Exception {
        int each = 200_000;
        HeavyHitters hitters = new HeavyHitters(2, 10);
        List<Thread> crowd = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            crowd.add(new Thread(() -> {
                for (int n = 0; n < each; n++) {
                    String key = n % 2 == 0 ? "even" : "odd";
                    hitters.add("p", key, SpaceSaving.hash("p", key));
                }
            }));
        }
        crowd.forEach(Thread::start);
        while (crowd.stream().anyMatch(Thread::isAlive)) {
            hitters.top(10);
        }
        for (Thread thread : crowd) {
            thread.join();
        }
        List<TopKey> top = hitters.top(10);
        assertThat(top).hasSize(2).allSatisfy(each1 -> assertThat(each1.error()).isZero());
        assertThat(top.get(0).count() + top.get(1).count() + hitters.skipped()).isEqualTo(4L * each);
        assertThat(hitters.error()).isEqualTo(hitters.skipped());
    }

    @Test
    void skipped_afterTwoRotations_isForgotten() {
        HeavyHitters hitters = new HeavyHitters(1, 1000);
        for (int i = 0; i < 40; i++) {
            // All keys have the same hash code.
            hitters.add("p", "key" + i, 1);
        }
        assertThat(hitters.skipped()).isEqualTo(8);
        assertThat(hitters.error()).isEqualTo(8);
        hitters.rotate();
        assertThat(hitters.skipped()).isEqualTo(8);
        hitters.rotate();
        assertThat(hitters.skipped()).isZero();
    }
}
