package io.sluice.benchmarks;

/** A benchmark of admissions that measured denials would be worth nothing: it fails at the first. */
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
