package io.sluice.benchmarks.adaptive;

import io.sluice.benchmarks.adaptive.SvgPlot.Line;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** Plots of runs over time: what limits, goodput and latency. */
final class Plots {
    private static final List<String> SCENARIOS = List.of("half-capacity-2.0", "slow-dependency-2.0", "load-swings");

    private Plots() {}

    static void write(Path directory, long seed) throws IOException {
        Files.createDirectories(directory);
        for (Scenario scenario : Scenario.all()) {
            if (SCENARIOS.contains(scenario.name())) {
                String name = scenario.name().replace(".0", "");
                Files.writeString(directory.resolve("adaptive-" + name + ".svg"), plot(scenario, Modes.ours(), seed));
                Files.writeString(
                        directory.resolve("adaptive-" + name + "-others.svg"), plot(scenario, Modes.others(), seed));
            }
        }
    }

    private static String plot(Scenario scenario, Map<String, Function<Scenario, Mode>> modes, long seed) {
        Map<String, RunRecord> runs = new LinkedHashMap<>();
        modes.forEach((name, mode) -> runs.put(name, Simulation.run(scenario, mode.apply(scenario), seed)));
        double capacity = scenario.phases().get(0).capacity();
        List<Line> limits = lines(runs, (run, second) -> run.numberAt(second) / run.numberAt(0));
        return new SvgPlot(scenario.seconds())
                .panel(scenario.name() + ": the limit, in times of its first value", 4, limits)
                .panel("good responses per second", capacity * 1.25, lines(runs, RunRecord::goodAt))
                .panel("mean latency, ms", 100, lines(runs, RunRecord::latencyAt))
                .toString();
    }

    private interface Value {
        double at(RunRecord run, int second);
    }

    private static List<Line> lines(Map<String, RunRecord> runs, Value value) {
        return runs.entrySet().stream()
                .map(run -> new Line(run.getKey(), second -> finite(value.at(run.getValue(), second))))
                .toList();
    }

    private static double finite(double value) {
        return Double.isFinite(value) ? value : 0;
    }
}
