package io.sluice.server.simulate.chart;

import io.sluice.Decision;
import io.sluice.Limit;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What one limit or policy did with the requests, over time. */
public final class ChartPanel {
    /** The first keys of a trace are watched. The busiest keys are among them unless very many keys come before them. */
    public static final int MOST_KEYS = 256;

    private final String title;
    private final @Nullable Limit limit;
    private final Timeline timeline;
    private final BinCounts arrivals;
    private final BinCounts onTime;
    private final BinCounts delayed;
    private final BinCounts denied;
    private final Map<String, WatchedKey> keys = new LinkedHashMap<>();
    private boolean unwatchedKeys;
    private long longestDelay;

    ChartPanel(String title, @Nullable Limit limit, Timeline timeline) {
        this.title = title;
        this.limit = limit;
        this.timeline = timeline;
        this.arrivals = new BinCounts(timeline);
        this.onTime = new BinCounts(timeline);
        this.delayed = new BinCounts(timeline);
        this.denied = new BinCounts(timeline);
    }

    /**
     * Adds a request.
     *
     * @param limitOfKey the limit that decided
     * @param admitted whether the request goes on; a verdict that allows is not enough if another policy denies
     */
    void add(long micros, String key, long permits, Limit limitOfKey, Decision decision, boolean admitted) {
        arrivals.add(micros);
        WatchedKey watched = watched(key, limitOfKey);
        if (watched != null) {
            watched.addRequest(micros, decision.remaining());
        }
        if (!decision.allowed()) {
            denied.add(micros);
        } else if (admitted) {
            long departure = micros + decision.delayMicros();
            (decision.delayMicros() == 0 ? onTime : delayed).add(departure);
            longestDelay = Math.max(longestDelay, decision.delayMicros());
            if (watched != null) {
                watched.addDeparture(departure, permits);
            }
        }
    }

    private @Nullable WatchedKey watched(String key, Limit limitOfKey) {
        WatchedKey watched = keys.get(key);
        if (watched == null) {
            if (keys.size() == MOST_KEYS) {
                unwatchedKeys = true;
                return null;
            }
            watched = new WatchedKey(key, limitOfKey, timeline);
            keys.put(key, watched);
        }
        return watched;
    }

    /** The text of the limit, or the name of the policy. */
    public String title() {
        return title;
    }

    /** The limit; for a policy, the one without overrides. Null for all policies together. */
    public @Nullable Limit limit() {
        return limit;
    }

    public BinCounts arrivals() {
        return arrivals;
    }

    /** Admitted requests without a delay, when they arrive. */
    public BinCounts onTime() {
        return onTime;
    }

    /** Admitted requests with a delay, when they leave. */
    public BinCounts delayed() {
        return delayed;
    }

    /** Denied requests, when they arrive. */
    public BinCounts denied() {
        return denied;
    }

    public long admitted() {
        return onTime.total() + delayed.total();
    }

    /** The longest delay of an admitted request, in microseconds. */
    public long longestDelay() {
        return longestDelay;
    }

    /** Whether there are more keys than {@link #MOST_KEYS}. */
    public boolean hasUnwatchedKeys() {
        return unwatchedKeys;
    }

    public int watchedKeys() {
        return keys.size();
    }

    /** The watched keys with the most requests; of several, the first in alphabetical order. */
    public List<WatchedKey> busiest(int most) {
        return keys.values().stream()
                .sorted(Comparator.comparingLong(WatchedKey::requests)
                        .reversed()
                        .thenComparing(WatchedKey::key))
                .limit(most)
                .toList();
    }

    /** The window of a watched key that exceeds its limit by most. */
    public Optional<Worst> worst() {
        return keys.values().stream()
                .map(WatchedKey::worst)
                .filter(Objects::nonNull)
                .max(Comparator.comparingDouble((Worst worst) ->
                                (double) worst.permits() / worst.window().permits())
                        .thenComparing(Worst::from, Comparator.reverseOrder()));
    }
}
