package io.sluice.cli.simulate.report;

import io.sluice.cli.console.OutputBuffer;
import io.sluice.cli.simulate.decide.DecisionSink;
import io.sluice.cli.simulate.trace.PolicyRequest;
import io.sluice.policy.PolicyDecision;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Writes the decisions of policies as JSON, one object per line. */
public final class PolicyDecisionSink implements DecisionSink<PolicyRequest, PolicyDecision> {
    private final OutputBuffer out;
    private final ProgressLine progress;
    private final StringBuilder line = new StringBuilder(1024);

    public PolicyDecisionSink(OutputBuffer out, ProgressLine progress) {
        this.out = out;
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
        progress.row();
    }
}
