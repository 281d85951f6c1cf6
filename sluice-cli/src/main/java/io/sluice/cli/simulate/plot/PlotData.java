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

/** What a plot shows of a run, in bounded memory however long the trace is. */
public final class PlotData {
    /** How many keys are watched for being the busiest: the first ones seen. A key that dominates is among them. */
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

    /** A key, how many rows it has, and what remained for it under each limit. */
    record Watched(String key, BinCounts rows, List<BinRanges> remaining) {}

    /** A row was decided by each of the limits, in their order. */
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

    /** The longest wait that an admitted request was told, in microseconds. */
    long longestDelay(int limit) {
        return longestDelays[limit];
    }

    /** Whether there were more keys than could be watched. */
    boolean hasUnwatchedKeys() {
        return unwatchedKeys;
    }

    int watchedKeys() {
        return keys.size();
    }

    /** The watched key with the most rows; of several, the first in the order of text. */
    Optional<Watched> busiest() {
        return keys.values().stream()
                .max(Comparator.comparingLong(
                                (Watched watched) -> watched.rows().total())
                        .thenComparing(Watched::key, Comparator.reverseOrder()));
    }
}
