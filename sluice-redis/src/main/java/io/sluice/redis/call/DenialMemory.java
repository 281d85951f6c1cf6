package io.sluice.redis.call;

import io.sluice.Decision;
import io.sluice.redis.limits.VersionedLimits;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/*
 * A key that was denied stays denied until its retryAfter, unless somebody gives something back; so for a short time the
 * next who ask as much are denied here. It is a table of fixed size in which a newer denial replaces an older one in the
 * same place: forgetting costs a call, nothing else.
 *
 * A denial that was on its way while something was given back must not be remembered. So every place has a stamp that
 * changes whenever something is forgotten there; a call notes the stamp when it is made, and its denial counts only if
 * the stamp is still the same. To forget everything takes no longer than to forget one: what an older generation remembers does
 * not count.
 */
/** Remembers for a moment which keys were denied. */
public final class DenialMemory {
    /** In other processes something may be given back meanwhile: they are believed after this time. */
    private static final long LONGEST_NANOS = 1_000_000_000L;

    private static final int SLOTS = 1 << 14;

    private final AtomicReferenceArray<@Nullable Denial> denials = new AtomicReferenceArray<>(SLOTS);
    private final AtomicIntegerArray stamps = new AtomicIntegerArray(SLOTS);
    private final AtomicInteger generation = new AtomicInteger();

    /**
     * @param callLimit of the limit that the call brought, if it brought one: the denial says nothing of others
     * @param untilNanos counted from sending: the denial is not believed for longer than it held
     * @param sinceNanos counted from receiving: nobody is told to come back too early
     */
    private record Denial(
            LimiterContext limiter,
            String key,
            long permits,
            @Nullable VersionedLimits callLimit,
            long untilNanos,
            long sinceNanos,
            Decision decision,
            int generation) {}

    private static int slot(LimiterContext limiter, String key) {
        int hash = key.hashCode() * 31 + limiter.hash;
        return (hash ^ (hash >>> 15)) & (SLOTS - 1);
    }

    int stamp(LimiterContext limiter, String key) {
        return stamp(slot(limiter, key));
    }

    /** Both only ever grow, so it changes whenever one of them does. */
    private int stamp(int slot) {
        return stamps.get(slot) + generation.get();
    }

    void remember(CheckCall call, Decision decision) {
        long nanos = Math.min(decision.retryAfterMicros(), LONGEST_NANOS / 1000) * 1000;
        int slot = slot(call.limiter, call.key);
        int now = generation.get();
        if (nanos > 0 && stamp(slot) == call.denialStamp && call.limiter.remembersDenials()) {
            Denial denial = new Denial(
                    call.limiter,
                    call.key,
                    call.permits,
                    call.callLimit(),
                    call.madeNanos + nanos,
                    System.nanoTime(),
                    decision,
                    now);
            denials.set(slot, denial);
            if (stamp(slot) != call.denialStamp) {
                denials.compareAndSet(slot, denial, null);
            }
        }
    }

    /** Whether so many, or less, were denied. */
    boolean isDenied(LimiterContext limiter, String key, long permits) {
        Denial denial = denials.get(slot(limiter, key));
        return denial != null && applies(denial, limiter, key, permits) && System.nanoTime() - denial.untilNanos() < 0;
    }

    /** What is still true of a denial of as many, or null if there was none: who asks for more may have to wait longer. */
    @Nullable
    Decision find(LimiterContext limiter, String key, long permits, @Nullable VersionedLimits callLimit) {
        Denial denial = denials.get(slot(limiter, key));
        if (denial == null || denial.permits() != permits || !applies(denial, limiter, key, permits)) {
            return null;
        }
        if (callLimit != null && denial.callLimit() != null && !callLimit.hasSameLimits(denial.callLimit())) {
            // What is used may be converted, and so be free sooner than was said.
            forget(limiter, key);
            return null;
        }
        long now = System.nanoTime();
        if (now - denial.untilNanos() >= 0) {
            return null;
        }
        Decision then = denial.decision();
        long passed = (now - denial.sinceNanos()) / 1000;
        return Decision.denied(
                then.remaining(),
                then.never() ? Decision.NEVER : Math.max(1, then.retryAfterMicros() - passed),
                Math.max(0, then.resetAfterMicros() - passed));
    }

    private boolean applies(Denial denial, LimiterContext limiter, String key, long permits) {
        return permits >= denial.permits()
                && denial.generation() == generation.get()
                && denial.limiter() == limiter
                && denial.key().equals(key);
    }

    void forget(LimiterContext limiter, String key) {
        int slot = slot(limiter, key);
        stamps.incrementAndGet(slot);
        denials.set(slot, null);
    }

    public void forgetAll() {
        generation.incrementAndGet();
    }
}
