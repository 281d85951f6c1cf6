package io.sluice.server;

/** Policies in YAML for tests. */
final class TestPolicies {
    private TestPolicies() {}

    /** Without the store, requests are denied and nothing is charged. */
    static String limit(int permits) {
        return "version: 1\npolicies:\n  - { name: all, limit: sliding-log " + permits
                + " per 1d, on-store-failure: deny }\n";
    }
}
