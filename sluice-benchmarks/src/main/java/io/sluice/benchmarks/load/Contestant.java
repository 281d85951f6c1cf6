package io.sluice.benchmarks.load;

/** A library or server with its load. Cases may share a contestant, which then runs once for all of them. */
public record Contestant(String who, String what, Load load) {
    @Override
    public String toString() {
        return what + ": " + who;
    }
}
