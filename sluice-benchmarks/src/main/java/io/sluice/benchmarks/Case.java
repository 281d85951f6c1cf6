package io.sluice.benchmarks;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** A case that JMH measures: who takes part, and by which method. */
record Case(String name, Contestant sluice, List<Contestant> peers) {

    /**
     * Two cases may share contestants; those run once for both.
     *
     * @param aside whether it decides nothing: the table shows it, but no target and no best peer depend on it
     */
    record Contestant(String who, String benchmark, boolean aside) {}

    static Case of(String name, Class<?> benchmarks, String method, String... peers) {
        return of(name, benchmarks, method, false, peers);
    }

    static Case aside(String name, Class<?> benchmarks, String method) {
        return of(name, benchmarks, method, true);
    }

    private static Case of(String name, Class<?> benchmarks, String method, boolean aside, String... peers) {
        return new Case(
                name,
                new Contestant("Sluice", benchmarks.getName() + "." + method, aside),
                Arrays.stream(peers).map(peer -> peer(benchmarks, peer)).toList());
    }

    private static Contestant peer(Class<?> benchmarks, String who) {
        // Bucket4j+Caffeine is measured by bucket4j. Sentinel is ten times too slow ever to be the best.
        String method = who.replaceFirst("\\+.*", "").toLowerCase(Locale.ROOT);
        return new Contestant(who, benchmarks.getName() + "." + method, who.equals("Sentinel"));
    }

    List<Contestant> all() {
        List<Contestant> all = new ArrayList<>(peers);
        all.add(0, sluice);
        return all;
    }
}
