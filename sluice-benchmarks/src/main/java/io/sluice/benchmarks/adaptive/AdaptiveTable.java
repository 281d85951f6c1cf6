package io.sluice.benchmarks.adaptive;

import java.io.PrintStream;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;

/** The results of all modes in all scenarios, and whether they are as they should be. */
final class AdaptiveTable {
    static final double LEAST_GOODPUT = 0.9;
    static final double MOST_LATENCY = 3;
    static final int MOST_TURNS = 2;
    static final double LEAST_OF_BEST = 0.98;

    /** A result of a mode in a scenario. */
    record Row(String scenario, String mode, double goodput, double worstGoodput, double latency, int turns) {
        boolean isGood() {
            return worstGoodput >= LEAST_GOODPUT && latency < MOST_LATENCY && turns <= MOST_TURNS;
        }
    }

    private final Map<String, Map<String, Row>> rows = new LinkedHashMap<>();

    void run(List<Scenario> scenarios, Map<String, Function<Scenario, Mode>> modes, long seed) {
        for (Scenario scenario : scenarios) {
            modes.forEach((name, mode) -> add(scenario, name, mode.apply(scenario), seed));
        }
    }

    private void add(Scenario scenario, String name, Mode mode, long seed) {
        RunRecord run = Simulation.run(scenario, mode, seed);
        rows.computeIfAbsent(scenario.name(), unused -> new LinkedHashMap<>())
                .put(
                        name,
                        new Row(
                                scenario.name(),
                                name,
                                run.goodput(),
                                run.worstGoodput(),
                                run.worstLatency(),
                                run.mostTurns()));
    }

    List<Row> rows() {
        return rows.values().stream().flatMap(modes -> modes.values().stream()).toList();
    }

    /** The goodput of a mode as a share of the best of the other libraries, in a scenario. */
    double ofBest(String mode, String scenario) {
        Map<String, Row> modes = Objects.requireNonNull(rows.get(scenario));
        double best = modes.values().stream()
                .filter(row -> Modes.others().containsKey(row.mode()))
                .mapToDouble(Row::goodput)
                .max()
                .orElseThrow();
        return Objects.requireNonNull(modes.get(mode)).goodput() / best;
    }

    void printCsv(PrintStream out) {
        out.println("scenario,mode,goodput,worst_goodput,p99_ratio,turns");
        for (Row row : rows()) {
            out.println(String.format(
                    Locale.ROOT,
                    "%s,%s,%.3f,%.3f,%.2f,%d",
                    row.scenario(),
                    row.mode(),
                    row.goodput(),
                    row.worstGoodput(),
                    row.latency(),
                    row.turns()));
        }
    }

    /** Prints the targets, and returns whether our modes meet them. */
    boolean printTargets(PrintStream out) {
        boolean met = true;
        for (String mode : Modes.ours().keySet()) {
            List<Row> bad = bad(mode);
            out.println("target: " + mode + settled(bad)
                    + (bad.isEmpty()
                            ? " (ok)"
                            : " (MISSED: "
                                    + bad.stream().map(AdaptiveTable::text).toList() + ")"));
            met &= bad.isEmpty();
        }
        for (String mode : Modes.ours().keySet()) {
            String worst = rows.keySet().stream()
                    .min(Comparator.comparingDouble(scenario -> ofBest(mode, scenario)))
                    .orElseThrow();
            boolean isGood = ofBest(mode, worst) >= LEAST_OF_BEST;
            out.println(String.format(
                    Locale.ROOT,
                    "target: %s, of the best other, at least %.2f: %.3f in %s (%s)",
                    mode,
                    LEAST_OF_BEST,
                    ofBest(mode, worst),
                    worst,
                    isGood ? "ok" : "MISSED"));
            met &= isGood;
        }
        for (String mode : Modes.ofRates().keySet()) {
            out.println("for comparison, no target: " + mode + settled(bad(mode)));
        }
        return met;
    }

    /** The results of a mode that do not keep the bounds. */
    List<Row> bad(String mode) {
        return rows().stream()
                .filter(row -> row.mode().equals(mode) && !row.isGood())
                .toList();
    }

    private String settled(List<Row> bad) {
        return " is settled, good and fast in " + (rows.size() - bad.size()) + " of " + rows.size() + " scenarios";
    }

    private static String text(Row row) {
        return String.format(
                Locale.ROOT, "%s %.3f %.2f %d", row.scenario(), row.worstGoodput(), row.latency(), row.turns());
    }
}
