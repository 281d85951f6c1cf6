package io.sluice.benchmarks.local;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** A case that JMH measures: Sluice and its peers, with a benchmark method for each. */
record JmhCase(String name, Contestant sluice, List<Contestant> peers) {

    /**
     * A library in a case. Two cases may share a contestant, which then runs once for both.
     *
     * @param aside whether the result is only for information: no target and no best peer depends on it
     */
    record Contestant(String who, String benchmark, boolean aside) {}

    static JmhCase of(String name, Class<?> benchmarks, String method, String... peers) {
        return of(name, benchmarks, method, false, peers);
    }

    static JmhCase aside(String name, Class<?> benchmarks, String method) {
        return of(name, benchmarks, method, true);
    }

    private static JmhCase of(String name, Class<?> benchmarks, String method, boolean aside, String... peers) {
        return new JmhCase(
                name,
                new Contestant("Sluice", benchmarks.getName() + "." + method, aside),
                Arrays.stream(peers).map(peer -> peer(benchmarks, peer)).toList());
    }

    private static Contestant peer(Class<?> benchmarks, String who) {
        // The method bucket4j measures Bucket4j+Caffeine. Sentinel is ten times too slow to be the best peer.
        String method = who.replaceFirst("\\+.*", "").toLowerCase(Locale.ROOT);
        return new Contestant(who, benchmarks.getName() + "." + method, who.equals("Sentinel"));
    }

    List<Contestant> all() {
        List<Contestant> all = new ArrayList<>(peers);
        all.add(0, sluice);
        return all;
    }
}
