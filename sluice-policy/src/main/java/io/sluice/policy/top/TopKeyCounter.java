package io.sluice.policy.top;

import io.sluice.TimeSource;
import io.sluice.policy.PolicyResult;
import io.sluice.policy.TopKey;
import io.sluice.policy.TopKeys;
import java.util.List;

/**
 * Counts the keys of decisions, for {@link TopKeys}. The engine adds the decisions. Thread-safe; adding never waits.
 */
public final class TopKeyCounter implements TopKeys {
    private static final int CAPACITY = 1000;
    private static final int MAX_STRIPES = 16;
    private static final long ROTATION_MICROS = 60_000_000;

    /** Sampling starts after this number of additions to one stripe in a minute. */
    private static final int SAMPLING_THRESHOLD = 100_000;

    /** With sampling, one of this number of requests is counted; a power of two. */
    private static final int SAMPLING_RATE = 8;

    private final TimeSource time;
    private final HeavyHitters busiest = new HeavyHitters(stripes(), CAPACITY);
    private final HeavyHitters denied = new HeavyHitters(stripes(), CAPACITY);
    private volatile Runnable cancelRotation;
    private volatile boolean closed;

    /** Whether only a sample of the requests is counted. */
    private volatile boolean sampling;

    public TopKeyCounter(TimeSource time) {
        this.time = time;
        cancelRotation = time.schedule(ROTATION_MICROS, this::rotate);
    }

    private static int stripes() {
        int processors = Math.min(MAX_STRIPES, Runtime.getRuntime().availableProcessors());
        return Math.max(2, Integer.highestOneBit(2 * processors - 1));
    }

    /**
     * Counts a decision on a key, in some tens of nanoseconds. The texts are kept for a while, so they must be short.
     */
    void add(String policy, String key, boolean wasDenied) {
        int hash = SpaceSaving.hash(policy, key);
        busiest.add(policy, key, hash);
        if (wasDenied) {
            denied.add(policy, key, hash);
        }
    }

    /**
     * Counts the results of one request. It holds a stripe of the counts once for all results.
     *
     * @param results one for each key; an empty key belongs to a policy without key attributes, and is not counted
     * @param random a random number
     */
    public void add(List<PolicyResult> results, String[] keys, int random) {
        int times = 1;
        if (sampling) {
            if ((random & (SAMPLING_RATE - 1)) != 0) {
                return;
            }
            times = SAMPLING_RATE;
        }
        addAll(results, keys, times);
    }

    private void addAll(List<PolicyResult> results, String[] keys, int times) {
        HeavyHitters.Stripe stripe = busiest.tryHold();
        int denials = 0;
        for (int i = 0; i < results.size(); i++) {
            PolicyResult result = results.get(i);
            if (!keys[i].isEmpty()) {
                busiest.add(stripe, result.policy(), keys[i], SpaceSaving.hash(result.policy(), keys[i]), times);
                denials += result.isViolated() ? 1 : 0;
            }
        }
        if (stripe != null) {
            if (stripe.additions() >= SAMPLING_THRESHOLD && !sampling) {
                sampling = true;
            }
            stripe.release();
        }
        if (denials > 0) {
            addDenials(results, keys, times);
        }
    }

    private void addDenials(List<PolicyResult> results, String[] keys, int times) {
        HeavyHitters.Stripe stripe = denied.tryHold();
        for (int i = 0; i < results.size(); i++) {
            PolicyResult result = results.get(i);
            if (!keys[i].isEmpty() && result.isViolated()) {
                denied.add(stripe, result.policy(), keys[i], SpaceSaving.hash(result.policy(), keys[i]), times);
            }
        }
        if (stripe != null) {
            stripe.release();
        }
    }

    @Override
    public List<TopKey> busiest(int n) {
        return busiest.top(n);
    }

    @Override
    public List<TopKey> denied(int n) {
        return denied.top(n);
    }

    @Override
    public long error() {
        return Math.max(busiest.error(), denied.error());
    }

    private void rotate() {
        busiest.rotate();
        denied.rotate();
        sampling = false;
        if (!closed) {
            cancelRotation = time.schedule(ROTATION_MICROS, this::rotate);
        }
    }

    /** Stops the rotation; from then on, counts only grow. */
    public void close() {
        closed = true;
        cancelRotation.run();
    }
}
