package io.sluice.cli.simulate.report;

import io.sluice.cli.console.OutputBuffer;
import io.sluice.policy.PolicyDecision;
import io.sluice.server.simulate.chart.ChartData;
import io.sluice.server.simulate.decide.DecisionSink;
import io.sluice.server.simulate.trace.PolicyRequest;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Writes the decisions of policies as JSON, one object per line. */
public final class PolicyDecisionSink implements DecisionSink<PolicyRequest, PolicyDecision> {
    private final OutputBuffer out;
    private final @Nullable ChartData<PolicyRequest, PolicyDecision> plot;
    private final ProgressLine progress;
    private final StringBuilder line = new StringBuilder(1024);

    public PolicyDecisionSink(
            OutputBuffer out, @Nullable ChartData<PolicyRequest, PolicyDecision> plot, ProgressLine progress) {
        this.out = out;
        this.plot = plot;
        this.progress = progress;
    }

    @Override
    public void accept(PolicyRequest request, List<PolicyDecision> decisions) {
        for (PolicyDecision decision : decisions) {
            line.setLength(0);
            decision.appendJson(line, request.timeMicros());
            line.append('\n');
            out.put(line.toString().getBytes(StandardCharsets.UTF_8));
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
