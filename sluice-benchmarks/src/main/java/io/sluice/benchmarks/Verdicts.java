package io.sluice.benchmarks;

import java.io.PrintStream;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Says whether targets are met. What was not measured is passed over. */
public final class Verdicts {
    private final PrintStream out;

    public Verdicts(PrintStream out) {
        this.out = out;
    }

    public void atMost(String target, double most, @Nullable Double actual) {
        if (actual != null) {
            verdict(target, actual, actual <= most);
        }
    }

    public void atLeast(String target, double least, @Nullable Double actual) {
        if (actual != null) {
            verdict(target, actual, actual >= least);
        }
    }

    private void verdict(String target, double actual, boolean met) {
        String number = String.format(Locale.ROOT, actual >= 10 ? "%.0f" : "%.2f", actual);
        out.println("target: " + target + ": " + number + (met ? " (ok)" : " (MISSED)"));
    }
}
