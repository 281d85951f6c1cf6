package io.sluice.cli.simulate.report;

import java.io.PrintStream;
import java.util.Locale;
import java.util.function.LongSupplier;

/** The progress of a long run, as one line on a terminal. A run of less than a second shows no line. */
public final class ProgressLine {
    private static final int ROWS_PER_UPDATE = 1 << 12;
    private static final long FIRST_NANOS = 1_000_000_000;
    private static final long NEXT_NANOS = 500_000_000;

    private final PrintStream err;
    private final boolean isTerminal;
    private final LongSupplier nanos;
    private final long start;
    private long due;
    private long rows;
    private boolean shown;

    public ProgressLine(PrintStream err, boolean isTerminal, LongSupplier nanos) {
        this.err = err;
        this.isTerminal = isTerminal;
        this.nanos = nanos;
        this.start = nanos.getAsLong();
        this.due = FIRST_NANOS;
    }

    /** Counts one more row. */
    void row() {
        if ((++rows & (ROWS_PER_UPDATE - 1)) == 0 && isTerminal) {
            update();
        }
    }

    private void update() {
        long elapsed = nanos.getAsLong() - start;
        if (elapsed < due) {
            return;
        }
        due = elapsed + NEXT_NANOS;
        shown = true;
        err.print(String.format(
                Locale.ROOT, "\r%,d rows, %,d rows/s\u001b[K", rows, (long) (rows / (elapsed / 1_000_000_000.0))));
        err.flush();
    }

    /** Removes the line. */
    public void clear() {
        if (shown) {
            err.print("\r\u001b[K");
            err.flush();
        }
    }
}
