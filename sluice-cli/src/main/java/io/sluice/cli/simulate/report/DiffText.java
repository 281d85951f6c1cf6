package io.sluice.cli.simulate.report;

import static io.sluice.cli.simulate.report.TextTable.number;

import java.util.List;
import java.util.stream.Collectors;

/** Formats a diff as text tables. */
public final class DiffText {
    private DiffText() {}

    /** Formats a diff with at most {@code top} keys. */
    public static String of(PolicyDiff diff, int top) {
        StringBuilder out = new StringBuilder();
        out.append(number(diff.requests())).append(diff.requests() == 1 ? " request\n\n" : " requests\n\n");
        out.append(files(diff)).append('\n');
        if (diff.all().total() == 0) {
            return out.append("Both files decide every request alike.\n").toString();
        }
        out.append(changes(diff)).append('\n').append(keys(diff.keys(), top));
        long missing = diff.keys().missing();
        if (missing > 0) {
            out.append("\nToo many keys have changed to count all of them. A count by key may be up to ")
                    .append(number(missing))
                    .append(" too low.\n");
        }
        return out.toString();
    }

    private static TextTable files(PolicyDiff diff) {
        TextTable table = new TextTable("", "allowed", "denied");
        table.row(diff.from, diff.allowedFrom(), diff.requests() - diff.allowedFrom());
        table.row(diff.to, diff.allowedTo(), diff.requests() - diff.allowedTo());
        return table;
    }

    private static TextTable changes(PolicyDiff diff) {
        TextTable table = new TextTable("by policy", "newly denied", "newly allowed");
        diff.policies().forEach(policy -> table.row(policy.getKey(), policy.getValue()));
        table.row("all requests", diff.all());
        return table;
    }

    private static TextTable keys(ChangedKeys keys, int top) {
        List<ChangedKeys.Entry> entries = keys.top(top);
        String title = entries.size() == keys.size()
                ? "by key"
                : "by key, top " + number(entries.size()) + " of " + number(keys.size());
        TextTable table = new TextTable(title, "newly denied", "newly allowed");
        entries.forEach(entry -> table.row(name(entry.key()), entry.change()));
        return table;
    }

    private static String name(ChangedKeys.Key key) {
        String values = key.values().entrySet().stream()
                .map(part -> " " + part.getKey() + "=" + part.getValue())
                .collect(Collectors.joining());
        return key.policy() + values;
    }
}
