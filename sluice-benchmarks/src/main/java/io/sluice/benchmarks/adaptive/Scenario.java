package io.sluice.benchmarks.adaptive;

import java.util.ArrayList;
import java.util.List;

/** A name and phases, one after the other. */
record Scenario(String name, List<Phase> phases) {
    private static final double[] LOADS = {0.5, 0.9, 1.2, 2, 5};

    int seconds() {
        return phases.stream().mapToInt(Phase::seconds).sum();
    }

    /** The scenarios of the table: 16 workers, 10 ms of work with a standard deviation of 5 ms. */
    static List<Scenario> all() {
        return all(new Machine(16, 10, 0.5));
    }

    static List<Scenario> all(Machine machine) {
        List<Scenario> scenarios = new ArrayList<>();
        for (double load : LOADS) {
            scenarios.add(new Scenario("steady-" + load, List.of(machine.phase(90, load))));
        }
        for (double load : LOADS) {
            scenarios.add(new Scenario(
                    "half-capacity-" + load,
                    List.of(machine.phase(30, load), machine.halved(30, load), machine.phase(30, load))));
        }
        for (double load : LOADS) {
            scenarios.add(new Scenario(
                    "slow-dependency-" + load,
                    List.of(
                            machine.withDependency(30, load, 0.5),
                            machine.withDependency(30, load, 2),
                            machine.withDependency(30, load, 0.5))));
        }
        for (double load : LOADS) {
            scenarios.add(new Scenario("pauses-" + load, List.of(machine.withPauses(90, load))));
        }
        scenarios.add(new Scenario(
                "load-swings",
                List.of(machine.phase(20, 0.5), machine.phase(20, 5), machine.phase(20, 0.9), machine.phase(30, 2))));
        return scenarios;
    }

    /** A kind of server. Loads are shares of what it can do with all its workers. */
    record Machine(int workers, double serviceMillis, double variation) {
        private double arrivals(double load) {
            return load * workers / serviceMillis * 1000;
        }

        Phase phase(int seconds, double load) {
            return new Phase(seconds, workers, serviceMillis, 0, variation, arrivals(load), false);
        }

        Phase halved(int seconds, double load) {
            return new Phase(seconds, workers / 2, serviceMillis, 0, variation, arrivals(load), false);
        }

        /** @param times how long the dependency takes, in times of the work */
        Phase withDependency(int seconds, double load, double times) {
            return new Phase(seconds, workers, serviceMillis, times * serviceMillis, variation, arrivals(load), false);
        }

        Phase withPauses(int seconds, double load) {
            return new Phase(seconds, workers, serviceMillis, 0, variation, arrivals(load), true);
        }
    }
}
