package io.sluice.benchmarks.common;

/** Checks the decisions of a benchmark. The benchmark fails at the first decision that its case does not expect. */
public final class Expect {
    private Expect() {}

    public static boolean admitted(boolean admitted) {
        if (!admitted) {
            throw new IllegalStateException("denied (expected: all admitted)");
        }
        return true;
    }

    public static boolean denied(boolean admitted) {
        if (admitted) {
            throw new IllegalStateException("admitted (expected: all denied)");
        }
        return false;
    }
}
