package io.sluice.server;

/** Policies for tests. */
final class Yaml {
    private Yaml() {}

    static String limit(int permits) {
        return "version: 1\npolicies:\n  - { name: all, limit: sliding-log " + permits + " per 1d }\n";
    }
}
