package io.sluice.cli.simulate.report;

import io.sluice.Decision;
import io.sluice.server.simulate.chart.ChartData;
import io.sluice.server.simulate.decide.DecisionSink;
import io.sluice.server.simulate.trace.KeyRequest;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Passes the decisions of limits to the output, the plot and the progress line. */
public final class LimitDecisionSink implements DecisionSink<KeyRequest, Decision> {
    private final DecisionWriter writer;
    private final @Nullable ChartData<KeyRequest, Decision> plot;
    private final ProgressLine progress;

    public LimitDecisionSink(
            DecisionWriter writer, @Nullable ChartData<KeyRequest, Decision> plot, ProgressLine progress) {
        this.writer = writer;
        this.plot = plot;
        this.progress = progress;
    }

    @Override
    public void begin() {
        writer.begin();
    }

    @Override
    public void accept(KeyRequest request, List<Decision> decisions) {
        for (int i = 0; i < decisions.size(); i++) {
            writer.write(i, request, decisions.get(i));
        }
        if (plot != null) {
            plot.accept(request, decisions);
        }
        progress.row();
    }

    @Override
    public void end() {
        if (plot != null) {
            plot.end();
        }
    }
}
