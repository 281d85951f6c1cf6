package io.sluice.server;

/** Policies for tests. */
final class Yaml {
    private Yaml() {}

    /** Who cannot ask the store in time denies, and charges nothing. */
    static String limit(int permits) {
        return "version: 1\npolicies:\n  - { name: all, limit: sliding-log " + permits
                + " per 1d, on-store-failure: deny }\n";
    }
}
