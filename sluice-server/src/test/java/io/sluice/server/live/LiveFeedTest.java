package io.sluice.server.live;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.policy.Counts;
import io.sluice.policy.Policies;
import io.sluice.policy.PolicyEngine;
import io.sluice.spi.SharedNotes;
import io.sluice.testkit.ManualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The history of a replica, and the sum over replicas. */
class LiveFeedTest {
    private static final String YAML = """
            version: 1
            policies:
              - { name: per-tenant, key: [tenant], limit: fixed-window 2 per 1h from-first }
            """;

    private final ManualTime time = new ManualTime();
    private final Notes notes = new Notes(new HashMap<>());
    private final Set<Scope> watched = EnumSet.noneOf(Scope.class);
    private final List<LiveFeed.View> shown = new ArrayList<>();
    private final List<AutoCloseable> open = new ArrayList<>();

    /** Notes in memory; may be away. */
    private static final class Notes implements SharedNotes {
        final Map<String, Map<String, String>> pages;

        Notes(Map<String, Map<String, String>> pages) {
            this.pages = pages;
        }

        boolean away;
        int reads;

        @Override
        public CompletionStage<?> put(String page, Map<String, String> notes, Duration life) {
            if (away) {
                return CompletableFuture.failedFuture(new IllegalStateException("away"));
            }
            pages.computeIfAbsent(page, unused -> new HashMap<>()).putAll(notes);
            return CompletableFuture.completedFuture(null);
        }

        @Override
        public CompletionStage<Map<String, String>> read(String page) {
            reads++;
            return away
                    ? CompletableFuture.failedFuture(new IllegalStateException("away"))
                    : CompletableFuture.completedFuture(Map.copyOf(pages.getOrDefault(page, Map.of())));
        }
    }

    private PolicyEngine engine() {
        PolicyEngine engine = PolicyEngine.builder()
                .policies(Policies.parse(YAML, "test"))
                .time(time)
                .build();
        open.add(engine);
        return engine;
    }

    private LiveFeed feed(PolicyEngine engine, String id, boolean shared) {
        return feed(engine, id, "host-" + id, shared ? notes : null);
    }

    private LiveFeed feed(PolicyEngine engine, String id, String name, @Nullable Notes notes) {
        LiveFeed feed = new LiveFeed(
                time,
                new TickSource(engine, () -> true, id, name, "1"),
                notes == null ? null : new ReplicaNotes(notes),
                watched::contains,
                (scope, view) -> shown.add(view));
        feed.start();
        open.add(feed);
        return feed;
    }

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable each : open) {
            each.close();
        }
    }

    private void ticks(int count) {
        for (int i = 0; i < count; i++) {
            time.advance(Duration.ofMillis(Tick.MILLIS));
        }
    }

    private static Counts total(List<Tick> ticks) {
        long[] sum = new long[3];
        for (Tick tick : ticks) {
            sum[0] += tick.total().allowed();
            sum[1] += tick.total().denied();
            sum[2] += tick.total().degraded();
        }
        return new Counts(sum[0], sum[1], 0, sum[2]);
    }

    @Test
    void history_countsEachDecisionOnce_inItsInterval() {
        PolicyEngine engine = engine();
        LiveFeed feed = feed(engine, "a", false);
        engine.check(Map.of("tenant", "x"));
        ticks(1);
        for (int i = 0; i < 3; i++) {
            engine.check(Map.of("tenant", "x"));
        }
        ticks(2);

        List<Tick> ticks = feed.view(Scope.ALL).join().ticks();

        assertThat(ticks).extracting(tick -> tick.total().allowed()).containsExactly(1L, 1L, 0L);
        assertThat(ticks).extracting(tick -> tick.total().denied()).containsExactly(0L, 2L, 0L);
        assertThat(ticks.get(1).policies()).containsOnlyKeys("per-tenant");
        assertThat(ticks.get(0).latencies()).isNotEmpty();
        assertThat(ticks.get(2).latencies()).isEmpty();
        assertThat(ticks.get(1).end() - ticks.get(0).end()).isEqualTo(Tick.MILLIS);
        assertThat(ticks.get(0).end() % Tick.MILLIS).isZero();
    }

    @Test
    void history_isBounded() {
        LiveFeed feed = feed(engine(), "a", false);
        ticks(1000);

        List<Tick> ticks = feed.view(Scope.REPLICA).join().ticks();

        assertThat(ticks).hasSize(ReplicaHistory.MAX_TICKS);
        assertThat(ticks.get(449).end()).isEqualTo(time.micros() / 1000 / Tick.MILLIS * Tick.MILLIS);
    }

    @Test
    void sum_isOverAllReplicas_alsoOfThoseThatAreGone() throws Exception {
        PolicyEngine one = engine();
        PolicyEngine other = engine();
        LiveFeed here = feed(one, "a", true);
        LiveFeed there = feed(other, "b", true);
        for (int i = 0; i < 3; i++) {
            one.check(Map.of("tenant", "x"));
            other.check(Map.of("tenant", "x"));
        }
        ticks(1);
        assertThat(total(here.view(Scope.ALL).join().ticks())).isEqualTo(new Counts(4, 2, 0, 0));
        assertThat(total(here.view(Scope.REPLICA).join().ticks())).isEqualTo(new Counts(2, 1, 0, 0));
        assertThat(here.view(Scope.ALL).join().replicas())
                .extracting(ReplicaTick::id)
                .containsExactly("a", "b");

        there.close();
        ticks(10);
        assertThat(total(here.view(Scope.ALL).join().ticks())).isEqualTo(new Counts(4, 2, 0, 0));
        assertThat(here.view(Scope.ALL).join().replicas())
                .extracting(ReplicaTick::id)
                .containsExactly("a");

        // A replica that starts now knows them too.
        assertThat(total(feed(engine(), "c", true).view(Scope.ALL).join().ticks()))
                .isEqualTo(new Counts(4, 2, 0, 0));
    }

    @Test
    void notes_areReadOnlyWhileSomebodyLooks() {
        feed(engine(), "a", true);
        ticks(20);
        assertThat(notes.reads).isZero();
        assertThat(shown).isEmpty();

        watched.add(Scope.ALL);
        ticks(2);
        time.advance(Duration.ofMillis(400));
        assertThat(shown).hasSize(2);
        assertThat(shown.get(1).ticks()).hasSizeLessThanOrEqualTo(5).isNotEmpty();
        int first = notes.reads;
        ticks(1);
        time.advance(Duration.ofMillis(400));
        assertThat(notes.reads - first).as("only the latest pages").isLessThanOrEqualTo(4);
    }

    @Test
    void ticks_whileRedisIsAway_areWrittenLater() {
        PolicyEngine engine = engine();
        LiveFeed feed = feed(engine, "a", true);
        notes.away = true;
        engine.check(Map.of("tenant", "x"));
        ticks(3);
        LiveFeed.View without = feed.view(Scope.ALL).join();
        assertThat(without.complete()).isFalse();
        assertThat(total(without.ticks())).isEqualTo(new Counts(1, 0, 0, 0));

        notes.away = false;
        ticks(1);
        LiveFeed.View with = feed.view(Scope.ALL).join();
        assertThat(with.complete()).isTrue();
        assertThat(with.ticks()).hasSize(4);
        assertThat(total(with.ticks())).isEqualTo(new Counts(1, 0, 0, 0));
    }

    @Test
    void ticks_thatAnotherReplicaWritesLater_afterALongOutage_areInTheSum() {
        Notes others = new Notes(notes.pages);
        PolicyEngine other = engine();
        LiveFeed feed = feed(engine(), "a", true);
        feed(other, "b", "host-b", others);
        ticks(1);
        feed.view(Scope.ALL).join();
        notes.away = true;
        others.away = true;
        other.check(Map.of("tenant", "x"));
        ticks(1);
        feed.view(Scope.ALL).join();
        ticks(60);
        notes.away = false;
        ticks(1);
        assertThat(total(feed.view(Scope.ALL).join().ticks())).isEqualTo(Counts.NONE);

        others.away = false;
        ticks(1);

        assertThat(total(feed.view(Scope.ALL).join().ticks())).isEqualTo(new Counts(1, 0, 0, 0));
    }

    @Test
    void replica_thatIsGone_isNamedFor15Minutes_unlessAnotherHasItsName() throws Exception {
        LiveFeed feed = feed(engine(), "a", true);
        LiveFeed stopped = feed(engine(), "b", true);
        ticks(1);
        assertThat(feed.view(Scope.ALL).join().gone()).isEmpty();
        stopped.close();
        ticks(3);
        assertThat(feed.view(Scope.ALL).join().gone())
                .extracting(ReplicaTick::name)
                .containsExactly("host-b");

        LiveFeed again = feed(engine(), "c", "host-b", notes);
        ticks(1);
        assertThat(feed.view(Scope.ALL).join().gone()).isEmpty();
        again.close();
        ticks(ReplicaHistory.MAX_TICKS);
        assertThat(feed.view(Scope.ALL).join().gone()).isEmpty();
    }

    @Test
    void tick_hasTheBusiestPolicies_andTheOthersTogether() {
        Map<String, Counts> all = new TreeMap<>();
        for (int i = 1; i <= 80; i++) {
            all.put("p" + i, new Counts(i, 1, 0, 0));
        }
        Tick tick = Tick.of(2000, Counts.NONE, all, new TreeMap<>(), true);

        assertThat(tick.policies()).hasSize(Tick.MAX_POLICIES + 1).containsKeys("p80", "p31", Tick.OTHER);
        assertThat(tick.policies().get(Tick.OTHER)).isEqualTo(new Counts(30 * 31 / 2, 30, 0, 0));
        assertThat(tick.plus(tick).policies().get(Tick.OTHER)).isEqualTo(new Counts(30 * 31, 60, 0, 0));
    }

    @Test
    void note_isReadAsItWasWritten_andAnythingElseIsIgnored() {
        ReplicaTick tick = new ReplicaTick(
                "a",
                "host",
                "1",
                List.of(new ReplicaTick.FiringAlert("many", "", "denied > 1", "2026-01-01T00:00:00Z")),
                Tick.of(
                        4000,
                        new Counts(3, 2, 1, 0),
                        Map.of("p", new Counts(3, 2, 1, 0)),
                        new TreeMap<>(Map.of(7, 3L)),
                        false));

        assertThat(TickJson.parse(TickJson.note(tick))).isEqualTo(tick);
        for (String broken :
                List.of("", "[]", "{}", "null", "{\"p\":1}", TickJson.note(tick).replace("[3,", "[\"x\","))) {
            assertThat(TickJson.parse(broken)).as(broken).isNull();
        }
    }

    @Test
    void latency_isRightWithinSixPercent() {
        for (long nanos : new long[] {1, 7, 8, 100, 999, 12_345, 1_000_000, 77_777_777, 5_000_000_000L}) {
            long middle = Latencies.middle(Latencies.bucket(nanos));
            assertThat(Math.abs(middle - nanos)).as("%d: %d", nanos, middle).isLessThanOrEqualTo(nanos * 7 / 100 + 1);
        }
        TreeMap<Integer, Long> counts = new TreeMap<>();
        counts.put(Latencies.bucket(10_000), 99L);
        counts.put(Latencies.bucket(900_000), 1L);
        assertThat(Latencies.percentileMicros(counts, 50)).isBetween(9L, 11L);
        assertThat(Latencies.percentileMicros(counts, 99)).isBetween(9L, 11L);
        assertThat(Latencies.percentileMicros(counts, 100)).isBetween(840L, 960L);
    }
}
