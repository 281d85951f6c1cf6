package io.sluice.cli.simulate.plot;

import io.sluice.Decision;
import io.sluice.Limit;
import io.sluice.cli.simulate.trace.KeyRequest;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Collects the data of a plot, in bounded memory for a trace of any length. */
public final class PlotData {
    /** The number of keys that are candidates for the busiest key: the first keys of the trace. A dominant key is among them. */
    static final int MOST_KEYS = 256;

    private final List<Limit> limits;
    private final Timeline timeline = new Timeline();
    private final BinCounts arrivals = new BinCounts(timeline);
    private final List<BinCounts> admissions = new ArrayList<>();
    private final long[] longestDelays;
    private final Map<String, Watched> keys = new HashMap<>();
    private boolean unwatchedKeys;

    public PlotData(List<Limit> limits) {
        this.limits = limits;
        this.longestDelays = new long[limits.size()];
        limits.forEach(limit -> admissions.add(new BinCounts(timeline)));
    }

    /** A candidate for the busiest key: its number of requests, and its remaining permits under each limit. */
    record Watched(String key, BinCounts rows, List<BinRanges> remaining) {}

    /** Adds a request and its decisions, in the order of the limits. */
    public void add(KeyRequest row, List<Decision> decisions) {
        int bin = timeline.bin(row.timeMicros());
        arrivals.add(bin);
        Watched watched = keys.get(row.key().text());
        if (watched == null) {
            if (keys.size() < MOST_KEYS) {
                watched = watch(row.key().text());
            } else {
                unwatchedKeys = true;
            }
        }
        if (watched != null) {
            watched.rows().add(bin);
        }
        for (int i = 0; i < decisions.size(); i++) {
            Decision decision = decisions.get(i);
            if (decision.allowed()) {
                admissions.get(i).add(bin);
                longestDelays[i] = Math.max(longestDelays[i], decision.delayMicros());
            }
            if (watched != null) {
                watched.remaining().get(i).add(bin, decision.remaining());
            }
        }
    }

    private Watched watch(String key) {
        List<BinRanges> remaining = new ArrayList<>();
        limits.forEach(limit -> remaining.add(new BinRanges(timeline)));
        Watched watched = new Watched(key, new BinCounts(timeline), remaining);
        keys.put(key, watched);
        return watched;
    }

    List<Limit> limits() {
        return limits;
    }

    Timeline timeline() {
        return timeline;
    }

    BinCounts arrivals() {
        return arrivals;
    }

    BinCounts admissions(int limit) {
        return admissions.get(limit);
    }

    /** The longest delay of an allowed request, in microseconds. */
    long longestDelay(int limit) {
        return longestDelays[limit];
    }

    /** Whether the trace has more keys than {@link #MOST_KEYS}. */
    boolean hasUnwatchedKeys() {
        return unwatchedKeys;
    }

    int watchedKeys() {
        return keys.size();
    }

    /** The candidate with the most requests; of several, the first in alphabetical order. */
    Optional<Watched> busiest() {
        return keys.values().stream()
                .max(Comparator.comparingLong(
                                (Watched watched) -> watched.rows().total())
                        .thenComparing(Watched::key, Comparator.reverseOrder()));
    }
}
