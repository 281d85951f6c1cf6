package io.sluice.cli.simulate.report;

import io.sluice.policy.JsonText;
import java.util.Map;

/** Formats a diff as one JSON object. */
public final class DiffJson {
    private DiffJson() {}

    /** Formats a diff with at most {@code top} keys. */
    public static String of(PolicyDiff diff, int top) {
        StringBuilder out = new StringBuilder("{\"from\":{\"file\":");
        JsonText.appendQuoted(out, diff.from);
        counts(out, diff.allowedFrom(), diff.requests());
        out.append(",\"to\":{\"file\":");
        JsonText.appendQuoted(out, diff.to);
        counts(out, diff.allowedTo(), diff.requests());
        out.append(",\"requests\":").append(diff.requests());
        change(out, diff.all());
        out.append(",\"policies\":[");
        String separator = "";
        for (Map.Entry<String, ChangeCount> policy : diff.policies()) {
            out.append(separator).append("{\"policy\":");
            JsonText.appendQuoted(out, policy.getKey());
            change(out, policy.getValue());
            out.append('}');
            separator = ",";
        }
        out.append("],\"keys\":[");
        separator = "";
        for (ChangedKeys.Entry entry : diff.keys().top(top)) {
            out.append(separator).append("{\"policy\":");
            JsonText.appendQuoted(out, entry.key().policy());
            out.append(",\"key\":");
            JsonText.appendQuoted(out, entry.key().values());
            change(out, entry.change());
            out.append('}');
            separator = ",";
        }
        out.append("],\"keys_missing_at_most\":").append(diff.keys().missing());
        return out.append("}\n").toString();
    }

    private static void counts(StringBuilder out, long allowed, long requests) {
        out.append(",\"allowed\":").append(allowed);
        out.append(",\"denied\":").append(requests - allowed).append('}');
    }

    private static void change(StringBuilder out, ChangeCount change) {
        out.append(",\"newly_denied\":").append(change.newlyDenied());
        out.append(",\"newly_allowed\":").append(change.newlyAllowed());
    }
}
