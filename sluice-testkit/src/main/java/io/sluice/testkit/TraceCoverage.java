package io.sluice.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.Limit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/*
 * A random trace proves nothing about what it never reaches. So traces count what they do, and a test asks whether all of it
 * was done.
 */
/** Counts what random traces did, by the kind of their first limit. */
final class TraceCoverage {
    /** What each kind of limit must have lived through. */
    private static final List<String> VERBS = List.of(
            "allowed",
            "denied",
            "tryAcquire",
            "acquireUpTo",
            "reserve",
            "cancel",
            "settle",
            "refund",
            "penalize",
            "reset",
            "pause",
            "update",
            "escalation",
            "forgetting");

    /** What a limit of concurrency must have lived through. */
    private static final List<String> HOLDING =
            List.of("enter", "no entry", "renew", "leave", "refund", "reset", "pause", "update");

    private final Map<String, Integer> counts = new TreeMap<>();

    /** Counts something that happened to keys under this limit. */
    void count(String verb, Limit limit) {
        counts.merge(verb + " of " + RandomLimits.kindOf(limit), 1, Integer::sum);
    }

    void countUpdate(Limit before, Limit after) {
        counts.merge(update(RandomLimits.kindOf(before), RandomLimits.kindOf(after)), 1, Integer::sum);
    }

    private static String update(String before, String after) {
        return "update of " + before + " to " + after;
    }

    /** Every verb on every kind, at the edges too. */
    void assertAllVerbs() {
        List<String> expected = new ArrayList<>(List.of("calendar bound of calendar"));
        HOLDING.forEach(verb -> expected.add(verb + " of " + RandomLimits.CONCURRENCY));
        for (String kind : RandomLimits.RATES) {
            VERBS.forEach(verb -> expected.add(verb + " of " + kind));
        }
        assertReached(expected);
    }

    /** Updates from every kind to every kind. */
    void assertAllUpdates() {
        List<String> expected = new ArrayList<>();
        for (String before : RandomLimits.KINDS) {
            RandomLimits.KINDS.forEach(after -> expected.add(update(before, after)));
        }
        assertReached(expected);
    }

    private void assertReached(List<String> expected) {
        assertThat(counts.keySet()).as("what the random traces did: %s", counts).containsAll(expected);
    }
}
