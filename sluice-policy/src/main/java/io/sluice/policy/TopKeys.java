package io.sluice.policy;

import io.sluice.TimeSource;
import java.util.List;

/**
 * The keys that were recently seen most often: over the last one to two minutes (the running minute and the one before),
 * in this process. Counted in little memory whatever keys come, so counts are bounds, see {@link Top}. A key that came
 * more often than one in 1,000 requests is never missing.
 *
 * <p>When there is much to count, more than 100,000 decisions in a minute, only some requests are counted, one in eight
 * by chance, each for eight. Counts are then estimates: the standard deviation of a count is the square root of seven
 * times the count, 2.6 % of 10,000.
 *
 * <p>Thread-safe. Counting never makes a decision wait; {@link #error()} tells what that may cost.
 */
public final class TopKeys {
    private static final int CAPACITY = 1000;
    private static final int MOST_PARTS = 16;
    private static final long TURN_MICROS = 60_000_000;

    /** So many additions to one part in a turn are much. */
    private static final int MUCH = 100_000;

    /** Of so many requests one is counted then; a power of two. */
    private static final int ONE_IN = 8;

    private final TimeSource time;
    private final HeavyHitters busiest = new HeavyHitters(parts(), CAPACITY);
    private final HeavyHitters denied = new HeavyHitters(parts(), CAPACITY);
    private volatile Runnable cancelTurn;
    private volatile boolean closed;

    /** Whether there is so much to count that only some are. */
    private volatile boolean busy;

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
     * @param random any number, by chance
     */
    void add(List<PolicyResult> said, String[] keys, int random) {
        int times = 1;
        if (busy) {
            if ((random & (ONE_IN - 1)) != 0) {
                return;
            }
            times = ONE_IN;
        }
        addAll(said, keys, times);
    }

    private void addAll(List<PolicyResult> said, String[] keys, int times) {
        HeavyHitters.Part part = busiest.tryHold();
        int denials = 0;
        for (int i = 0; i < said.size(); i++) {
            PolicyResult result = said.get(i);
            if (!keys[i].isEmpty()) {
                busiest.add(part, result.policy(), keys[i], SpaceSaving.hash(result.policy(), keys[i]), times);
                denials += result.isViolated() ? 1 : 0;
            }
        }
        if (part != null) {
            if (part.additions() >= MUCH && !busy) {
                busy = true;
            }
            part.release();
        }
        if (denials > 0) {
            addDenials(said, keys, times);
        }
    }

    private void addDenials(List<PolicyResult> said, String[] keys, int times) {
        HeavyHitters.Part part = denied.tryHold();
        for (int i = 0; i < said.size(); i++) {
            PolicyResult result = said.get(i);
            if (!keys[i].isEmpty() && result.isViolated()) {
                denied.add(part, result.policy(), keys[i], SpaceSaving.hash(result.policy(), keys[i]), times);
            }
        }
        if (part != null) {
            part.release();
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
        busy = false;
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
