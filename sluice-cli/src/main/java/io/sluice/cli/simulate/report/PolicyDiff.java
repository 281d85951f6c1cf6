package io.sluice.cli.simulate.report;

import io.sluice.policy.Mode;
import io.sluice.policy.PolicyDecision;
import io.sluice.policy.PolicyResult;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/*
 * If only one of two files allows a request, the policies of the other file that denied it made the difference. Each of them
 * counts, because each alone would have denied the request. So the numbers of the policies may add up to more than the total.
 */
/** Counts the requests that a second policy file decides differently. */
public final class PolicyDiff {
    private static final int MOST_KEYS = 100_000;
    private static final long MOST_CHARACTERS = 1 << 25;

    final String from;
    final String to;
    private long requests;
    private long allowedFrom;
    private long allowedTo;
    private final ChangeCount all = new ChangeCount();
    private final Map<String, ChangeCount> policies = new LinkedHashMap<>();
    private final ChangedKeys keys = new ChangedKeys(MOST_KEYS, MOST_CHARACTERS);

    /** Creates a diff between two files, given by their names. */
    public PolicyDiff(String from, String to) {
        this.from = from;
        this.to = to;
    }

    void count(PolicyDecision before, PolicyDecision after) {
        requests++;
        allowedFrom += before.allowed() ? 1 : 0;
        allowedTo += after.allowed() ? 1 : 0;
        if (before.allowed() == after.allowed()) {
            return;
        }
        boolean allowedNow = after.allowed();
        all.count(allowedNow);
        for (PolicyResult result : (allowedNow ? before : after).results()) {
            if (result.mode() == Mode.ENFORCE && !result.decision().allowed()) {
                policies.computeIfAbsent(result.policy(), unused -> new ChangeCount())
                        .count(allowedNow);
                keys.count(result, allowedNow);
            }
        }
    }

    long requests() {
        return requests;
    }

    long allowedFrom() {
        return allowedFrom;
    }

    long allowedTo() {
        return allowedTo;
    }

    ChangeCount all() {
        return all;
    }

    /** The policies that made a difference, the largest difference first. */
    List<Map.Entry<String, ChangeCount>> policies() {
        List<Map.Entry<String, ChangeCount>> sorted = new ArrayList<>(policies.entrySet());
        sorted.sort((a, b) -> Long.compare(b.getValue().total(), a.getValue().total()));
        return sorted;
    }

    ChangedKeys keys() {
        return keys;
    }
}
