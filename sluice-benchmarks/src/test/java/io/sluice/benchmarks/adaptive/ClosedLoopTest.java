package io.sluice.benchmarks.adaptive;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.benchmarks.adaptive.AdaptiveTable.Row;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The bounds of {@code bench adaptive}, on virtual time. Several seeds and servers, so that nothing is fitted to one. */
@Tag("slow")
class ClosedLoopTest {
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void concurrencyAdaptive_meetsTheBounds_andIsAsGoodAsTheBest(long seed) {
        Map<String, Function<Scenario, Mode>> modes = new LinkedHashMap<>(Modes.others());
        // The others are for the table: without a limit, a run under overload takes long, and is never the best.
        modes.remove("vegas");
        modes.remove("none");
        modes.put(Modes.ADAPTIVE, Modes.ours().get(Modes.ADAPTIVE));
        AdaptiveTable table = new AdaptiveTable();
        table.run(Scenario.all(), modes, seed);

        assertThat(bad(table, Modes.ADAPTIVE)).isEmpty();
        for (Scenario scenario : Scenario.all()) {
            assertThat(table.ofBest(scenario.name()))
                    .as(scenario.name())
                    .isGreaterThanOrEqualTo(AdaptiveTable.LEAST_OF_BEST);
        }
    }

    /** On a server with few workers, or very varying work, nobody can be within 10% of the ideal at the brink of its capacity. */
    @ParameterizedTest
    @CsvSource({
        "16, 10, 1, 0.87, 3",
        "8, 10, 0.5, 0.9, 3",
        "4, 20, 0.5, 0.8, 3.3",
        "64, 20, 0.5, 0.9, 3",
        "16, 10, 0.05, 0.88, 3",
    })
    void concurrencyAdaptive_onOtherServers_staysInTheBounds(
            int workers, double millis, double variation, double leastGoodput, double mostLatency) {
        AdaptiveTable table = new AdaptiveTable();
        table.run(
                Scenario.all(new Scenario.Machine(workers, millis, variation)),
                Map.of(Modes.ADAPTIVE, Modes.ours().get(Modes.ADAPTIVE)),
                1);

        assertThat(table.rows()).allSatisfy(row -> {
            assertThat(row.worstGoodput()).isGreaterThan(leastGoodput);
            assertThat(row.latency()).isLessThan(mostLatency);
        });
    }

    /** Few requests finish in a second, or one worker serves them all: then more than a few measurements would cost too much. */
    @ParameterizedTest
    @CsvSource({"1, 10, 3, 0.9", "2, 100, 3, 0.8", "32, 300, 3, 0.8", "32, 300, 1.2, 0.8"})
    void concurrencyAdaptive_onSlowServers_findsTheNumber(
            int workers, double millis, double load, double leastGoodput) {
        AdaptiveTable table = new AdaptiveTable();
        table.run(
                List.of(new Scenario("slow", List.of(new Scenario.Machine(workers, millis, 0.5).phase(120, load)))),
                Map.of(Modes.ADAPTIVE, Modes.ours().get(Modes.ADAPTIVE)),
                1);

        assertThat(table.rows().get(0).goodput()).isGreaterThan(leastGoodput);
    }

    /** A rule with steps of some percent is coarser: see the guide. Latency shows an overload only when the queue is there. */
    @ParameterizedTest
    @CsvSource({"adapt-cpu, 0.87, 3, 8", "adapt-latency, 0.65, 5, 25"})
    void adaptRules_keepTheServerUsable(String mode, double leastGoodput, double mostLatency, int mostTurns) {
        AdaptiveTable table = new AdaptiveTable();
        table.run(Scenario.all(), Map.of(mode, Modes.ours().get(mode)), 1);

        assertThat(table.rows()).allSatisfy(row -> {
            assertThat(row.worstGoodput()).isGreaterThan(leastGoodput);
            assertThat(row.latency()).isLessThan(mostLatency);
            assertThat(row.turns()).isLessThanOrEqualTo(mostTurns);
        });
    }

    private static List<Row> bad(AdaptiveTable table, String mode) {
        List<Row> bad = new ArrayList<>(table.rows());
        bad.removeIf(row -> !row.mode().equals(mode) || row.isGood());
        return bad;
    }
}
