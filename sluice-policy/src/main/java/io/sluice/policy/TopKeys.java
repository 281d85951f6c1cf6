package io.sluice.policy;

import io.sluice.TimeSource;
import java.util.List;

/**
 * The keys that were recently seen most often: over the last one to two minutes (the running minute and the one before),
 * in this process. Counted in little memory whatever keys come, so counts are bounds, see {@link Top}. A key that came
 * more often than one in 1,000 requests is never missing.
 *
 * <p>Thread-safe. Counting never makes a decision wait; {@link #error()} tells what that may cost.
 */
public final class TopKeys {
    private static final int CAPACITY = 1000;
    private static final int MOST_PARTS = 16;
    private static final long TURN_MICROS = 60_000_000;

    private final TimeSource time;
    private final HeavyHitters busiest = new HeavyHitters(parts(), CAPACITY);
    private final HeavyHitters denied = new HeavyHitters(parts(), CAPACITY);
    private volatile Runnable cancelTurn;
    private volatile boolean closed;

    TopKeys(TimeSource time) {
        this.time = time;
        cancelTurn = time.schedule(TURN_MICROS, this::turn);
    }

    private static int parts() {
        int processors = Math.min(MOST_PARTS, Runtime.getRuntime().availableProcessors());
        return Math.max(2, Integer.highestOneBit(2 * processors - 1));
    }

    /** Counts a decision on a key; some tens of nanoseconds. The texts are kept for a while, so they must be short. */
    void add(String policy, String key, boolean wasDenied) {
        int hash = SpaceSaving.hash(policy, key);
        busiest.add(policy, key, hash);
        if (wasDenied) {
            denied.add(policy, key, hash);
        }
    }

    /**
     * Counts what policies said to one request: that holds a part of the counts once, not for each.
     *
     * @param said one for each of the keys; an empty key stands for all, and is nobody's
     */
    void add(List<PolicyResult> said, String[] keys) {
        HeavyHitters.Part part = busiest.tryHold();
        int denials = 0;
        for (int i = 0; i < said.size(); i++) {
            PolicyResult result = said.get(i);
            if (!keys[i].isEmpty()) {
                busiest.add(part, result.policy(), keys[i], SpaceSaving.hash(result.policy(), keys[i]));
                denials += result.isViolated() ? 1 : 0;
            }
        }
        if (part != null) {
            part.release();
        }
        for (int i = 0; denials > 0 && i < said.size(); i++) {
            PolicyResult result = said.get(i);
            if (!keys[i].isEmpty() && result.isViolated()) {
                denied.add(result.policy(), keys[i], SpaceSaving.hash(result.policy(), keys[i]));
                denials--;
            }
        }
    }

    /** The keys that asked most often, the busiest first; at most {@code n}. */
    public List<Top> busiest(int n) {
        return busiest.top(n);
    }

    /** The keys that were denied most often, the most frequent first; at most {@code n}. */
    public List<Top> denied(int n) {
        return denied.top(n);
    }

    /**
     * By how much any count may be wrong at most, that of a key that is not listed (0) included: a thousandth of the
     * requests, plus those that were not counted because other threads were just counting, or because they had one of many
     * keys with equal hash codes.
     */
    public long error() {
        return Math.max(busiest.error(), denied.error());
    }

    private void turn() {
        busiest.turn();
        denied.turn();
        if (!closed) {
            cancelTurn = time.schedule(TURN_MICROS, this::turn);
        }
    }

    /** Ends the turns: from then on, counts only grow. */
    void close() {
        closed = true;
        cancelTurn.run();
    }
}
