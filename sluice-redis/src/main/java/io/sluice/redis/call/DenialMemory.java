package io.sluice.redis.call;

import io.sluice.Decision;
import io.sluice.redis.limits.VersionedLimits;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/*
 * A key that was denied stays denied until its retryAfter, unless permits are given back. So for a short time, this process
 * denies further requests for as many permits without asking Redis. The table has a fixed size, and a newer denial replaces
 * an older one in the same slot: forgetting a denial costs a call, nothing else.
 *
 * A denial that was on its way while permits were given back must not be remembered. So every slot has a stamp that changes
 * whenever a denial is forgotten there. A call notes the stamp when it is made, and its denial counts only if the stamp is
 * still the same. Forgetting all denials is one step: denials of an older generation do not count.
 */
/** Remembers for a short time which keys Redis has denied. */
public final class DenialMemory {
    /** The maximum time, because other processes may give permits back meanwhile. */
    private static final long LONGEST_NANOS = 1_000_000_000L;

    private static final int SLOTS = 1 << 14;

    private final AtomicReferenceArray<@Nullable Denial> denials = new AtomicReferenceArray<>(SLOTS);
    private final AtomicIntegerArray stamps = new AtomicIntegerArray(SLOTS);
    private final AtomicInteger generation = new AtomicInteger();

    /**
     * @param callLimit the limit that came with the call; null if none did. The denial says nothing about other limits
     * @param untilNanos the end, counted from sending: the denial must not be remembered longer than it is true
     * @param sinceNanos the beginning, counted from receiving: no caller must come back too early
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

    /** Both numbers only grow, so the sum changes whenever one of them does. */
    private int stamp(int slot) {
        return stamps.get(slot) + generation.get();
    }

    /** @param permits how many permits were denied */
    void remember(Call<?> call, long permits, Decision decision) {
        long nanos = Math.min(decision.retryAfterMicros(), LONGEST_NANOS / 1000) * 1000;
        int slot = slot(call.limiter, call.key);
        int now = generation.get();
        if (nanos > 0 && stamp(slot) == call.denialStamp && call.limiter.remembersDenials()) {
            Denial denial = new Denial(
                    call.limiter,
                    call.key,
                    permits,
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

    /** Whether a request for so many permits, or for fewer, was denied. */
    boolean isDenied(LimiterContext limiter, String key, long permits) {
        Denial denial = denials.get(slot(limiter, key));
        return denial != null && applies(denial, limiter, key, permits) && System.nanoTime() - denial.untilNanos() < 0;
    }

    /** The remembered denial of a request for exactly as many permits, with current times; null if there is none. */
    @Nullable
    Decision find(LimiterContext limiter, String key, long permits, @Nullable VersionedLimits callLimit) {
        Denial denial = denials.get(slot(limiter, key));
        if (denial == null || denial.permits() != permits || !applies(denial, limiter, key, permits)) {
            return null;
        }
        if (callLimit != null && denial.callLimit() != null && !callLimit.hasSameLimits(denial.callLimit())) {
            // The use of the key may be converted to the other limit, and permits may be free sooner.
            forget(limiter, key);
            return null;
        }
        long now = System.nanoTime();
        if (now - denial.untilNanos() >= 0) {
            return null;
        }
        Decision then = denial.decision();
        long passed = (now - denial.sinceNanos()) / 1000;
        return new Decision(
                false,
                then.remaining(),
                then.never() ? Decision.NEVER : Math.max(1, then.retryAfterMicros() - passed),
                0,
                Math.max(0, then.resetAfterMicros() - passed),
                then.debt(),
                false);
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
