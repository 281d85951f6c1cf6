package io.sluice.policy.top;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.policy.TopKey;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class SpaceSavingTest {
    private static final int CAPACITY = 100;
    private static final int ADDITIONS = 50_000;

    static Stream<Arguments> streams() {
        Random random = new Random(7);
        int[] stairs = IntStream.rangeClosed(1, CAPACITY)
                .flatMap(height -> IntStream.generate(() -> height).limit(height))
                .toArray();
        return Stream.of(
                stream("zipf", i -> (int) Math.pow(10_000, random.nextDouble())),
                stream("all alike", i -> 1),
                stream("all distinct", i -> i),
                stream("as many as fit, in turn", i -> i % CAPACITY),
                stream("one more than fit, in turn", i -> i % (CAPACITY + 1)),
                stream("a heavy one among distinct ones", i -> i % 50 == 0 ? -1 : i),
                stream("a heavy one after distinct ones", i -> i > ADDITIONS / 2 && i % 3 == 0 ? -1 : i),
                stream("stairs, then distinct ones", i -> i < stairs.length ? -stairs[i] : i),
                stream("heavy ones that are left", i -> i / 1000),
                stream("uniform", i -> random.nextInt(1000)));
    }

    private static Arguments stream(String name, IntFunction<Integer> keys) {
        return Arguments.of(name, IntStream.range(0, ADDITIONS).mapToObj(keys).toList());
    }

    private static boolean add(SpaceSaving sketch, String policy, String key) {
        return sketch.add(policy, key, SpaceSaving.hash(policy, key));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("streams")
    void add_anyStream_boundsHold(String name, List<Integer> stream) {
        SpaceSaving sketch = new SpaceSaving(CAPACITY);
        Map<String, Long> exact = new HashMap<>();
        for (int i = 0; i < stream.size(); i++) {
            String key = "key" + stream.get(i);
            assertThat(add(sketch, "p", key)).isTrue();
            exact.merge(key, 1L, Long::sum);
            if (i % 9973 == 0 || i == stream.size() - 1) {
                check(sketch, exact, i + 1);
            }
        }
    }

    private static void check(SpaceSaving sketch, Map<String, Long> exact, long additions) {
        Map<String, Long> missing = new HashMap<>(exact);
        long sum = 0;
        for (TopKey top : sketch.tops()) {
            long count = exact.getOrDefault(top.key(), 0L);
            assertThat(count).isBetween(top.count() - top.error(), top.count()).isPositive();
            assertThat(top.error()).isLessThanOrEqualTo(additions / CAPACITY);
            assertThat(missing.remove(top.key())).as("listed once").isNotNull();
            sum += top.count();
        }
        assertThat(sum).isEqualTo(additions);
        assertThat(sketch.lost()).isLessThanOrEqualTo(additions / CAPACITY);
        assertThat(missing.values()).allSatisfy(count -> assertThat(count).isLessThanOrEqualTo(sketch.lost()));
    }

    @Test
    void add_fewKeys_isExact() {
        SpaceSaving sketch = new SpaceSaving(3);
        for (String key : List.of("a", "b", "a", "c", "a", "b")) {
            add(sketch, "p", key);
        }
        assertThat(sketch.tops())
                .containsExactlyInAnyOrder(
                        new TopKey("p", "a", 3, 0), new TopKey("p", "b", 2, 0), new TopKey("p", "c", 1, 0));
        assertThat(sketch.lost()).isZero();
    }

    @Test
    void add_sameKeyOfTwoPolicies_isTwoKeys() {
        SpaceSaving sketch = new SpaceSaving(3);
        add(sketch, "p", "a");
        add(sketch, "q", "a");
        assertThat(sketch.tops()).containsExactlyInAnyOrder(new TopKey("p", "a", 1, 0), new TopKey("q", "a", 1, 0));
    }

    @Test
    void add_manyEqualHashCodes_isRefused() {
        List<String> alike = new ArrayList<>(List.of(""));
        for (int i = 0; i < 8; i++) {
            alike = new ArrayList<>(alike.stream()
                    .flatMap(key -> Stream.of(key + "Aa", key + "BB"))
                    .toList());
        }
        assertThat(alike.stream().mapToInt(String::hashCode).distinct()).hasSize(1);
        SpaceSaving sketch = new SpaceSaving(1000);
        long counted = alike.stream().filter(key -> add(sketch, "p", key)).count();
        assertThat(counted).isEqualTo(32);
        assertThat(add(sketch, "p", "another")).isTrue();
        assertThat(sketch.tops()).hasSize(33);
    }

    @Test
    void clear_full_forgetsEverything() {
        SpaceSaving sketch = new SpaceSaving(10);
        for (int i = 0; i < 1000; i++) {
            add(sketch, "p", "key" + i);
        }
        sketch.clear();
        assertThat(sketch.tops()).isEmpty();
        assertThat(sketch.lost()).isZero();
        Map<String, Long> exact = new HashMap<>();
        for (int i = 0; i < 10; i++) {
            add(sketch, "p", "key" + i);
            exact.put("key" + i, 1L);
        }
        assertThat(sketch.tops())
                .hasSize(10)
                .allSatisfy(top -> assertThat(top.error()).isZero());
        assertThat(exact).hasSize(10);
    }

    @Test
    void capacity_none_isRefused() {
        assertThatThrownBy(() -> new SpaceSaving(0)).hasMessage("capacity: 0 (expected: > 0)");
    }
}
