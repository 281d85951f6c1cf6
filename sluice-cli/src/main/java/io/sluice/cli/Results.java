package io.sluice.cli;

import io.sluice.Decision;
import org.jspecify.annotations.Nullable;

/** Where decided rows go: out, into the plot and into the progress line. */
final class Results {
    private final DecisionWriter writer;
    private final @Nullable PlotData plot;
    private final Progress progress;

    Results(DecisionWriter writer, @Nullable PlotData plot, Progress progress) {
        this.writer = writer;
        this.plot = plot;
        this.progress = progress;
    }

    /** What comes before the first row. */
    void begin() {
        writer.begin();
    }

    /** @param decisions one for each limit */
    void row(TraceRow row, Decision[] decisions) {
        for (int i = 0; i < decisions.length; i++) {
            writer.write(i, row, decisions[i]);
        }
        if (plot != null) {
            plot.add(row, decisions);
        }
        progress.row();
    }
}
