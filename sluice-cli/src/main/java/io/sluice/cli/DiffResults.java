package io.sluice.cli;

import io.sluice.policy.PolicyDecision;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Function;

/** What two files of policies said is compared; the difference goes out at the end. */
final class DiffResults implements Results<Request, PolicyDecision> {
    private final Diff diff;
    private final Function<Diff, String> format;
    private final OutputBuffer out;
    private final Progress progress;

    DiffResults(Diff diff, Function<Diff, String> format, OutputBuffer out, Progress progress) {
        this.diff = diff;
        this.format = format;
        this.out = out;
        this.progress = progress;
    }

    @Override
    public void row(Request request, List<PolicyDecision> decisions) {
        diff.count(decisions.get(0), decisions.get(1));
        progress.row();
    }

    @Override
    public void end() {
        progress.clear();
        out.put(format.apply(diff).getBytes(StandardCharsets.UTF_8));
    }
}
