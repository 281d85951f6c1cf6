package io.sluice.benchmarks.common;

import java.io.PrintStream;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Prints whether the targets are met. Values that were not measured are skipped. */
public final class TargetReport {
    private final PrintStream out;

    public TargetReport(PrintStream out) {
        this.out = out;
    }

    public void atMost(String target, double most, @Nullable Double actual) {
        if (actual != null) {
            print(target, actual, actual <= most);
        }
    }

    public void atLeast(String target, double least, @Nullable Double actual) {
        if (actual != null) {
            print(target, actual, actual >= least);
        }
    }

    private void print(String target, double actual, boolean met) {
        String number = String.format(Locale.ROOT, actual >= 10 ? "%.0f" : "%.2f", actual);
        out.println("target: " + target + ": " + number + (met ? " (ok)" : " (MISSED)"));
    }
}
