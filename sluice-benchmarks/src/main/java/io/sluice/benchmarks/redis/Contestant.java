package io.sluice.benchmarks.redis;

/** Somebody who does something. Cases may share contestants; those run once for all. */
record Contestant(String who, String what, Load load) {
    @Override
    public String toString() {
        return what + ": " + who;
    }
}
