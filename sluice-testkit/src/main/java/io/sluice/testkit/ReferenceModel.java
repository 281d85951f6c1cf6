package io.sluice.testkit;

import io.sluice.Decision;
import io.sluice.Limit;
import java.util.ArrayList;
import java.util.List;

/*
 * Literal, slow and obviously right. What a key has used is an exact fraction (Use and its kinds: one small immutable
 * record for each algorithm, which says how much is used at any time from now on). Everything else follows from that one
 * function: a request is allowed if it fits into what is not used; retryAfter is the least time after which it fits;
 * resetAfter the least after which nothing is used; both are found by search (Search), not by formula. So the model has
 * little in common with what it judges, where the same answers come from closed integer formulas.
 *
 * A request is judged by every limit on the state before it; then all limits are charged, or none, and those that denied
 * start their lockout; then every limit reports its state after it.
 */
/**
 * The exact reference model: what any store must answer, for one or several limits on each key. Times are microseconds
 * since the Unix epoch, below 2^53, and are given with each call. Not thread-safe.
 *
 * <pre>{@code
 * ReferenceModel model = ReferenceModel.of(Limit.parse("10/s burst 20"));
 * assertThat(limiter.check("key", 3)).isEqualTo(model.check("key", 3, time.micros()));
 * }</pre>
 */
public final class ReferenceModel {
    private final List<Ledger> ledgers = new ArrayList<>();

    private ReferenceModel(List<Limit> limits) {
        limits.forEach(limit -> ledgers.add(Ledger.of(limit)));
    }

    /** A model in which no key was seen yet. Several limits are decided together for each key. */
    public static ReferenceModel of(Limit limit, Limit... more) {
        return new ReferenceModel(list(limit, more));
    }

    /** Takes permits if they are there. */
    public Decision check(String key, long permits, long micros) {
        return decide(micros, List.of(new Ask(this, key, permits))).get(0);
    }

    /** The verdict of {@link #check} on the state as it stays: charges nothing and starts no lockout. */
    public Decision peek(String key, long permits, long micros) {
        return new Request(this, key, requirePermits(permits), micros).report();
    }

    /** Takes permits if they are there and need no delay. That they would need one is no denial. */
    public boolean tryAcquire(String key, long permits, long micros) {
        Request request = new Request(this, key, requirePermits(permits), micros);
        if (!request.allowed()) {
            request.deny();
            return false;
        }
        if (request.delayMicros() > 0) {
            return false;
        }
        request.take();
        return true;
    }

    /** Decides all together: all are taken, or none. What is asked of one model for one key is decided as its sum. */
    public static List<Decision> decide(long micros, List<Ask> asks) {
        return Together.decide(micros, asks);
    }

    /** Gives permits back: undoes the newest use first, never beyond fresh. */
    public void refund(String key, long permits, long micros) {
        requirePermits(permits);
        ledgers.forEach(ledger -> ledger.refund(key, permits, micros));
    }

    /** Takes permits by force, even into debt. */
    public void penalize(String key, long permits, long micros) {
        requirePermits(permits);
        ledgers.forEach(ledger -> ledger.penalize(key, permits, micros));
    }

    /** Denies the key for so long, or longer if it is paused for longer already. */
    public void pause(String key, long duration, long micros) {
        ledgers.forEach(ledger -> ledger.pause(key, duration, micros));
    }

    /** Forgets the key. */
    public void reset(String key) {
        ledgers.forEach(ledger -> ledger.reset(key));
    }

    /**
     * Takes permits ahead of their time, if that comes within {@code atMostMicros}. Starts no lockout. Only buckets lend;
     * a window gives what is there now.
     */
    public Hold reserve(String key, long permits, long atMostMicros, long micros) {
        requirePermits(permits);
        long wait = 0;
        boolean lent = true;
        for (Ledger ledger : ledgers) {
            wait = Math.max(wait, ledger.untilDue(key, permits, micros));
            lent &= ledger.lends(key, permits, micros);
        }
        boolean granted = wait == 0 || (wait != Decision.NEVER && wait <= atMostMicros && lent);
        Hold hold = new Hold(key, permits, granted, wait);
        if (granted) {
            ledgers.forEach(ledger -> ledger.take(hold, micros));
        }
        return hold;
    }

    /** Gives back exactly what is still unused. Only the first call for a hold of this model does anything. */
    public void cancel(Hold hold, long micros) {
        ledgers.forEach(ledger -> ledger.cancel(hold, micros));
    }

    /**
     * The new limits hold from now on; what was used stays used. A limit that stays keeps its own state;
     * the others take over that of those that go, in order.
     */
    public void update(long micros, Limit limit, Limit... more) {
        List<Limit> limits = list(limit, more);
        if (limits.size() != ledgers.size()) {
            throw new IllegalArgumentException(
                    "limits: " + limits.size() + " (expected: " + ledgers.size() + ", as many as before)");
        }
        List<Ledger> left = new ArrayList<>(ledgers);
        List<Limit> changed = new ArrayList<>(limits);
        changed.removeIf(next -> {
            Ledger same = left.stream()
                    .filter(ledger -> ledger.limit().equals(next))
                    .findFirst()
                    .orElse(null);
            return same != null && left.remove(same);
        });
        for (Limit next : changed) {
            Ledger replaced = left.remove(0);
            ledgers.set(ledgers.indexOf(replaced), replaced.update(next, micros));
        }
    }

    /** The same state, to see what would happen to it; nothing that was reserved can be cancelled there. */
    ReferenceModel copy() {
        ReferenceModel copy = new ReferenceModel(List.of());
        ledgers.forEach(ledger -> copy.ledgers.add(ledger.copy()));
        return copy;
    }

    /** Whether another model would answer everything alike, as far as nothing is reserved. */
    boolean isLike(ReferenceModel other) {
        for (int i = 0; i < ledgers.size(); i++) {
            if (!ledgers.get(i).isLike(other.ledgers.get(i))) {
                return false;
            }
        }
        return ledgers.size() == other.ledgers.size();
    }

    List<Ledger> ledgers() {
        return ledgers;
    }

    static long requirePermits(long permits) {
        if (permits < 0) {
            throw new IllegalArgumentException("permits: " + permits + " (expected: >= 0)");
        }
        return permits;
    }

    private static List<Limit> list(Limit limit, Limit... more) {
        List<Limit> limits = new ArrayList<>();
        limits.add(limit);
        limits.addAll(List.of(more));
        return limits;
    }
}
