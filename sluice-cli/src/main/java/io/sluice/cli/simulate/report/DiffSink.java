package io.sluice.cli.simulate.report;

import io.sluice.cli.console.OutputBuffer;
import io.sluice.policy.PolicyDecision;
import io.sluice.server.simulate.decide.DecisionSink;
import io.sluice.server.simulate.trace.PolicyRequest;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Function;

/** Compares the decisions of two policy files and writes the difference at the end. */
public final class DiffSink implements DecisionSink<PolicyRequest, PolicyDecision> {
    private final PolicyDiff diff;
    private final Function<PolicyDiff, String> format;
    private final OutputBuffer out;
    private final ProgressLine progress;

    public DiffSink(PolicyDiff diff, Function<PolicyDiff, String> format, OutputBuffer out, ProgressLine progress) {
        this.diff = diff;
        this.format = format;
        this.out = out;
        this.progress = progress;
    }

    @Override
    public void accept(PolicyRequest request, List<PolicyDecision> decisions) {
        diff.count(decisions.get(0), decisions.get(1));
        progress.row();
    }

    @Override
    public void end() {
        progress.clear();
        out.put(format.apply(diff).getBytes(StandardCharsets.UTF_8));
    }
}
