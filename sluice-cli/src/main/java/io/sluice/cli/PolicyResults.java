package io.sluice.cli;

import io.sluice.policy.PolicyDecision;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** What policies said goes out, one line of JSON each. */
final class PolicyResults implements Results<Request, PolicyDecision> {
    private final OutputBuffer out;
    private final Progress progress;
    private final StringBuilder line = new StringBuilder(1024);

    PolicyResults(OutputBuffer out, Progress progress) {
        this.out = out;
        this.progress = progress;
    }

    @Override
    public void row(Request request, List<PolicyDecision> decisions) {
        for (PolicyDecision decision : decisions) {
            line.setLength(0);
            decision.appendJson(line, request.timeMicros());
            line.append('\n');
            out.put(line.toString().getBytes(StandardCharsets.UTF_8));
        }
        progress.row();
    }
}
