package io.sluice.cli.simulate.report;

import io.sluice.policy.Mode;
import io.sluice.policy.PolicyDecision;
import io.sluice.policy.PolicyResult;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/*
 * A request that only one of two files allows is the doing of the policies that denied it in the other: all of them, since
 * it would have been denied if any of them had stood alone. So the numbers of the policies may add up to more than all.
 */
/** What other policies would change for the same requests. */
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

    /** Between what these files say. */
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

    /** Those that made a difference, most of it first. */
    List<Map.Entry<String, ChangeCount>> policies() {
        List<Map.Entry<String, ChangeCount>> sorted = new ArrayList<>(policies.entrySet());
        sorted.sort((a, b) -> Long.compare(b.getValue().total(), a.getValue().total()));
        return sorted;
    }

    ChangedKeys keys() {
        return keys;
    }
}
