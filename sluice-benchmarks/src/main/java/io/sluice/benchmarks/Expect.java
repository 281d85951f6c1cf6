package io.sluice.benchmarks;

/** A benchmark of admissions that measured denials would be worth nothing: it fails at the first. */
final class Expect {
    private Expect() {}

    static boolean admitted(boolean admitted) {
        if (!admitted) {
            throw new IllegalStateException("denied (expected: all admitted)");
        }
        return true;
    }

    static boolean denied(boolean admitted) {
        if (admitted) {
            throw new IllegalStateException("admitted (expected: all denied)");
        }
        return false;
    }
}
