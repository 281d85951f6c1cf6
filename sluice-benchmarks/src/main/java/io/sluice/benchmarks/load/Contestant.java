package io.sluice.benchmarks.load;

/** Somebody who does something. Cases may share contestants; those run once for all. */
public record Contestant(String who, String what, Load load) {
    @Override
    public String toString() {
        return what + ": " + who;
    }
}
