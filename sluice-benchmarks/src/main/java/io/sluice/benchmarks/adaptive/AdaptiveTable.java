package io.sluice.benchmarks.adaptive;

import java.io.PrintStream;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
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

    /** The goodput of {@code concurrency adaptive} as a share of the best of the other libraries, in a scenario. */
    double ofBest(String scenario) {
        List<Row> modes =
                rows().stream().filter(row -> row.scenario().equals(scenario)).toList();
        double best = modes.stream()
                .filter(row -> Modes.others().containsKey(row.mode()))
                .max(Comparator.comparingDouble(Row::goodput))
                .orElseThrow()
                .goodput();
        return modes.stream()
                        .filter(row -> row.mode().equals(Modes.ADAPTIVE))
                        .findFirst()
                        .orElseThrow()
                        .goodput()
                / best;
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

    /** Prints the targets, and returns whether {@code concurrency adaptive} meets them. */
    boolean printTargets(PrintStream out) {
        boolean met = true;
        for (String mode : Modes.ours().keySet()) {
            List<Row> bad = rows().stream()
                    .filter(row -> row.mode().equals(mode) && !row.isGood())
                    .toList();
            long all = rows().stream().filter(row -> row.mode().equals(mode)).count();
            out.println("target: " + mode + " is settled, good and fast in " + (all - bad.size()) + " of " + all
                    + " scenarios"
                    + (bad.isEmpty()
                            ? " (ok)"
                            : " (MISSED: "
                                    + bad.stream().map(AdaptiveTable::text).toList() + ")"));
            met &= bad.isEmpty() || !mode.equals(Modes.ADAPTIVE);
        }
        for (String scenario : rows.keySet()) {
            double ratio = ofBest(scenario);
            if (ratio < LEAST_OF_BEST) {
                out.println(String.format(
                        Locale.ROOT, "target: adaptive in %s, of the best other: %.3f (MISSED)", scenario, ratio));
                met = false;
            }
        }
        rows.keySet().stream()
                .min(Comparator.comparingDouble(this::ofBest))
                .ifPresent(scenario -> out.println(String.format(
                        Locale.ROOT,
                        "target: adaptive, of the best other, at least %.2f: %.3f in %s%s",
                        LEAST_OF_BEST,
                        ofBest(scenario),
                        scenario,
                        ofBest(scenario) >= LEAST_OF_BEST ? " (ok)" : "")));
        return met;
    }

    private static String text(Row row) {
        return String.format(
                Locale.ROOT, "%s %.3f %.2f %d", row.scenario(), row.worstGoodput(), row.latency(), row.turns());
    }
}
