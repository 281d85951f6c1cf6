package io.sluice.server.simulate.chart;

import io.sluice.Limit;
import org.jspecify.annotations.Nullable;

/** One key of a panel: its number of requests, its remaining permits over time, and its worst window. */
public final class WatchedKey {
    private final String key;
    private final BinRanges remaining;
    private final @Nullable WorstWindow worst;
    private long requests;

    WatchedKey(String key, Limit limit, Timeline timeline) {
        this.key = key;
        this.remaining = new BinRanges(timeline);
        LimitWindow window = LimitWindow.of(limit);
        this.worst = window == null ? null : new WorstWindow(window);
    }

    void addRequest(long micros, long left) {
        requests++;
        remaining.add(micros, left);
    }

    void addDeparture(long micros, long permits) {
        if (worst != null) {
            worst.add(micros, permits);
        }
    }

    void look(long micros, long left) {
        remaining.add(micros, left);
    }

    public String key() {
        return key;
    }

    public long requests() {
        return requests;
    }

    public BinRanges remaining() {
        return remaining;
    }

    @Nullable
    Worst worst() {
        return worst == null ? null : worst.worst(key);
    }
}
