package io.sluice.server.simulate.chart;

import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/** Finds the window in which most permits of one key left. Departures come in order. */
final class WorstWindow {
    /** A window of more departures is not searched: its memory would have no bound. */
    static final int MOST_DEPARTURES = 1 << 16;

    private record Departure(long micros, long permits) {}

    private final LimitWindow window;
    private final Deque<Departure> recent = new ArrayDeque<>();
    private boolean tooMany;
    private long inWindow;
    private long most;
    private long worstStart;
    private long worstEnd;

    WorstWindow(LimitWindow window) {
        this.window = window;
    }

    void add(long micros, long permits) {
        if (permits == 0 || tooMany) {
            return;
        }
        recent.addLast(new Departure(micros, permits));
        inWindow += permits;
        for (Departure first = recent.getFirst(); first.micros <= micros - window.micros(); first = recent.getFirst()) {
            recent.removeFirst();
            inWindow -= first.permits;
        }
        if (inWindow > most) {
            most = inWindow;
            worstStart = recent.getFirst().micros;
            worstEnd = micros;
        }
        tooMany = recent.size() > MOST_DEPARTURES;
    }

    /** The result; null if nothing left, or too much. */
    @Nullable
    Worst worst(String key) {
        return most == 0 || tooMany ? null : new Worst(key, worstStart, worstEnd, most, window);
    }
}
