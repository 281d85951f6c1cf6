package io.sluice.benchmarks.server;

import java.util.Locale;
import java.util.concurrent.ThreadLocalRandom;

/** Policies for many paths, of which one applies to each request, and one policy for all requests. */
record ManyPolicies(int paths) {
    /** The text of an edition. No request is denied. Each edition has different limits for all paths. */
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

    /** The body of a check to which the common policy and one other policy apply. */
    String check() {
        ThreadLocalRandom random = ThreadLocalRandom.current();
        return "{\"attributes\":{\"path\":\"/api/" + random.nextInt(1, paths) + "/orders\",\"tenant\":\"tenant-"
                + random.nextInt(10) + "\"},\"permits\":1}";
    }
}
