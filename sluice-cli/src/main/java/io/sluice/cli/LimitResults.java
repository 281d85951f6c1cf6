package io.sluice.cli;

import io.sluice.Decision;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What limits said goes out, into the plot and into the progress line. */
final class LimitResults implements Results<TraceRow, Decision> {
    private final DecisionWriter writer;
    private final @Nullable PlotData plot;
    private final Progress progress;

    LimitResults(DecisionWriter writer, @Nullable PlotData plot, Progress progress) {
        this.writer = writer;
        this.plot = plot;
        this.progress = progress;
    }

    @Override
    public void begin() {
        writer.begin();
    }

    @Override
    public void row(TraceRow row, List<Decision> decisions) {
        for (int i = 0; i < decisions.size(); i++) {
            writer.write(i, row, decisions.get(i));
        }
        if (plot != null) {
            plot.add(row, decisions);
        }
        progress.row();
    }
}
