package io.sluice.benchmarks.server;

import java.util.Locale;
import java.util.concurrent.ThreadLocalRandom;

/** Policies for many paths, of which each request meets one, and one that all requests share. */
record ManyPolicies(int paths) {
    /** Nobody is ever denied. Each edition has other limits for all paths. */
    String yaml(int edition) {
        StringBuilder yaml = new StringBuilder("version: 1\npolicies:\n");
        yaml.append("  - { name: global, limit: ").append(1_000_000 + edition).append("/s }\n");
        for (int i = 1; i < paths; i++) {
            yaml.append(String.format(
                    Locale.ROOT,
                    "  - { name: path-%d, match: { path: \"/api/%d/**\" }, key: [tenant], limit: %d/min burst %d }%n",
                    i,
                    i,
                    100_000 + edition,
                    200_000 + edition));
        }
        return yaml.toString();
    }

    /** The body of a check that meets the shared policy and one of the others. */
    String check() {
        ThreadLocalRandom random = ThreadLocalRandom.current();
        return "{\"attributes\":{\"path\":\"/api/" + random.nextInt(1, paths) + "/orders\",\"tenant\":\"tenant-"
                + random.nextInt(10) + "\"},\"permits\":1}";
    }
}
