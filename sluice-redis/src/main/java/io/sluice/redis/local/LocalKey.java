package io.sluice.redis.local;

import io.sluice.Charge;
import io.sluice.Decision;
import io.sluice.Decisions;
import io.sluice.RateLimiter;
import io.sluice.Reservation;
import io.sluice.TimeSource;
import io.sluice.redis.local.LimiterShares.Division;
import io.sluice.redis.script.Arguments;
import io.sluice.spi.PolicyCharge;
import io.sluice.spi.Taking;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/*
 * Why all processes together stay within the limit plus P - 1 shares, when Redis goes, comes back, or misses a deadline.
 *
 * A limit has C permits, P processes use it, and the share of each is S = floor(C / P), but at least 1. Consider a period in
 * which nothing is refilled and nothing expires. Let U be the permits that Redis counts in that period. Let o(m) be the permits
 * that process m has admitted by its share and has not yet charged to Redis. Let x(m) be the part of U that m knows: the use
 * that Redis last reported to m (which includes the use of all processes), and the permits that m has sent to Redis since. All
 * that was admitted is at most U + sum o(m).
 *
 *   Rule 1  m admits by its share only if o(m) + ceil(x(m) / P) <= S afterwards.
 *   Rule 2  Redis decides nothing for m while o(m) > 0: m charges what it owes first, on the same way, in order.
 *
 * Redis admits only while U <= C. Every permit in U was sent by some process, and x of that process contains it from then on.
 * By rule 2, a process with o(m) > 0 has sent nothing since it began to use its share again. So o(m) <= S - ceil(x(m) / P), with
 * an x(m) that contains all that m ever sent. The x(m) together are at least U, so
 *
 *   U + sum o(m)  <=  U - sum ceil(x(m) / P) + P * S  <=  U - ceil(U / P) + P * S  <=  C - ceil(C / P) + P * S
 *                 <=  C + (P - 1) * S,
 *
 * because U - ceil(U / P) does not fall as U grows, and S <= ceil(C / P). (Where S - ceil(x(m) / P) is negative, o(m) is 0,
 * and U with the shares of the P - 1 others is within the bound anyway.)
 *
 * A charge moves permits from o(m) to U: the sum stays the same, and the answer reports the new U to m. Only charges can raise U
 * above C. Just before the first charge that does, the process with the latest report had at most S - ceil(U / P) to use, and
 * every other process at most S. So the sum was within the bound even if all of them used all of that. A process to which
 * Redis reports U >= C has nothing left, and Redis admits nothing. So from then on the sum stays within the bound.
 *
 * Buckets drain meanwhile. The use that Redis reported to m drains at the whole rate, of which the share has the P-th part. So
 * ceil(x(m) / P) drains as fast as the share, and the argument holds for levels instead of counts. In a time d, the limit
 * admits C + rate * d, and a share S + rate * d / P. Permits that m has used by its share and then charged to Redis must not
 * drain twice. So m still owes the smaller of two numbers: the permits that were not charged, and those that have not drained.
 *
 * Some permits count more than once, which only makes the bound stricter: those of a call that Redis has charged but answered too
 * late, until that answer comes; and for windows, the reported use, which stays in the share for one window after it was needed.
 * One thing does not count: a charge that was sent and will never be answered. The listener hears of it as lost.
 *
 * So the share is a limiter in memory. When it is needed and there is a newer report, it starts again with ceil(x / P) and the
 * permits that are owed. Permits on their way to Redis are kept: the share decides as if they had been requested as well.
 */
/** Keeps account of one key that this process may have to decide by its local share. */
public final class LocalKey {
    /** When to ask again if permits are only missing because calls are on their way: those calls end soon. */
    private static final long SOON_MICROS = 100_000;

    /** No limit has more permits. */
    private static final long MOST_KEPT = 1L << 50;

    public final String key;

    /** A thread that holds several keys takes them in the order of their numbers. */
    final long number;

    private final ReentrantLock lock = new ReentrantLock();

    private final LimiterShares shares;
    private final KeyShare share;

    /** Permits of calls that have no answer yet, and that Redis may charge. */
    private long pending;

    /** Permits that were used by the share and are not charged to Redis. */
    private long uncharged;

    /** Permits of charges that are on their way to Redis. */
    private long charging;

    /** The part of these permits that Redis has charged before, as a late answer showed. */
    private long twice;

    /** Whether {@link LocalKeys} has dropped this key. Then no thread may use it. */
    boolean forgotten;

    /** The number of charges of which it is unknown whether Redis has executed them. */
    public int doubts;

    /**
     * Permits that were used by the share and must be charged to Redis.
     *
     * @param permits the permits that were used
     * @param amounts the permits that still count, for each limit
     */
    public record Owed(long permits, List<Long> amounts) {}

    /** A reservation by the share. */
    public record Promise(boolean granted, long waitMicros, Runnable cancel) {}

    /** @param deadlineMicros the maximum time that a call is on its way to Redis */
    LocalKey(String key, long number, LimiterShares shares, TimeSource time, long deadlineMicros) {
        this.key = key;
        this.number = number;
        this.shares = shares;
        this.share = new KeyShare(key, shares, time, deadlineMicros);
    }

    /** Locks the key for this thread until {@link #release}. */
    public void hold() {
        lock.lock();
    }

    boolean tryHold() {
        return lock.tryLock();
    }

    public void release() {
        lock.unlock();
    }

    // --- calls to Redis ---

    /** A call is sent to Redis, which may charge permits. The caller holds the key. */
    public void sent(long permits) {
        pending += permits;
    }

    /** Such a call has its answer, from Redis or without it. */
    public void settled(long permits) {
        lock.lock();
        try {
            pending -= permits;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Redis has decided a call.
     *
     * @param kept the permits that were kept for other requests, and are not in the remaining permits
     */
    public void decided(Decision decision, long kept) {
        lock.lock();
        try {
            share.decided(decision, kept, unsettled());
        } finally {
            lock.unlock();
        }
    }

    /** Redis has charged permits, and did not report what remains. */
    public void taken(long permits) {
        lock.lock();
        try {
            share.taken(permits, unsettled());
        } finally {
            lock.unlock();
        }
    }

    /** Redis has reset the key. */
    public void reset() {
        lock.lock();
        try {
            share.reset(unsettled());
        } finally {
            lock.unlock();
        }
    }

    /** Permits that were used by the share, and that Redis has not confirmed as charged. */
    private long unsettled() {
        return uncharged + charging;
    }

    // --- decisions by the share; the caller must hold the key ---

    /** The charges on the limiters in memory for a number of permits. */
    public List<Charge> charges(long permits, long kept, boolean shadow, Taking taking) {
        Division division = share.start(unsettled());
        long keeps = keeps(division, kept);
        List<Charge> charges = new ArrayList<>();
        for (RateLimiter limiter : division.each()) {
            PolicyCharge charge = PolicyCharge.of(limiter.charge(key, permits)).keeping(keeps);
            charges.add((shadow ? charge.inShadow() : charge).taking(taking));
        }
        return charges;
    }

    /** This process's part of the permits that are kept for other requests, and of those on their way to Redis. */
    private long keeps(Division division, long kept) {
        return Math.min(MOST_KEPT, division.part(kept) + division.part(Math.min(MOST_KEPT, pending)));
    }

    /** Notes that permits of the share were used. */
    public void used(long permits) {
        share.used(permits);
        uncharged += permits;
    }

    /** Takes permits of the share, if they are available. */
    public Decision take(long permits) {
        Decisions decisions = shares.memory().decide(charges(permits, 0, false, Taking.IF_ADMITTED));
        if (decisions.allowed()) {
            used(permits);
        }
        return strictest(decisions.each());
    }

    /** Gives back permits of the share that were just taken. */
    public void refund(long permits) {
        for (RateLimiter limiter : share.start(unsettled()).each()) {
            limiter.refund(key, permits);
        }
        uncharged = Math.max(0, uncharged - permits);
    }

    /** The decision on a request; takes no permits. */
    public Decision look(long permits, long kept) {
        Division division = share.start(unsettled());
        long keeps = keeps(division, kept);
        long judged = permits > Long.MAX_VALUE - keeps ? Long.MAX_VALUE : permits + keeps;
        List<Decision> looks = new ArrayList<>();
        for (RateLimiter limiter : division.each()) {
            Decision look = limiter.peek(key, judged);
            looks.add(new Decision(
                    look.allowed(),
                    Math.max(0, look.remaining() - keeps),
                    look.retryAfterMicros(),
                    look.delayMicros(),
                    look.resetAfterMicros()));
        }
        return strictest(looks);
    }

    /** Reserves permits of the share. */
    public Promise promise(long permits, long atMostMicros) {
        Division division = share.start(unsettled());
        if (pending > 0 && !look(permits, 0).allowed()) {
            return new Promise(false, SOON_MICROS, () -> {});
        }
        Duration atMost = Duration.ofNanos(atMostMicros * 1000);
        List<Reservation> taken = new ArrayList<>();
        long wait = 0;
        for (RateLimiter limiter : division.each()) {
            Reservation reservation = limiter.reserve(key, permits, atMost);
            if (!reservation.granted()) {
                taken.forEach(Reservation::cancel);
                return new Promise(
                        false, Math.max(1, Arguments.micros("retryAfter", reservation.retryAfter())), () -> {});
            }
            taken.add(reservation);
            wait = Math.max(wait, Arguments.micros("delay", reservation.delay()));
        }
        used(permits);
        return new Promise(true, wait, () -> giveBack(taken, permits));
    }

    private void giveBack(List<Reservation> taken, long permits) {
        lock.lock();
        try {
            taken.forEach(Reservation::cancel);
            uncharged = Math.max(0, uncharged - permits);
        } finally {
            lock.unlock();
        }
    }

    /** Combines the decisions of several limits into one. */
    public static Decision strictest(List<Decision> each) {
        Decision all = each.get(0);
        for (Decision next : each.subList(1, each.size())) {
            boolean both = all.allowed() && next.allowed();
            all = new Decision(
                    both,
                    Math.min(all.remaining(), next.remaining()),
                    Math.max(all.retryAfterMicros(), next.retryAfterMicros()),
                    both ? Math.max(all.delayMicros(), next.delayMicros()) : 0,
                    Math.max(all.resetAfterMicros(), next.resetAfterMicros()));
        }
        return all;
    }

    // --- charging Redis with the use of the share ---

    public boolean owes() {
        return uncharged > 0;
    }

    /** The permits that must be charged to Redis now; null if there are none. The caller must hold the key. */
    public @Nullable Owed owed() {
        long permits = uncharged;
        if (permits == 0) {
            return null;
        }
        List<Long> amounts = Arrays.stream(share.ownUse(unsettled()))
                .map(amount -> Math.min(amount, permits))
                .boxed()
                .toList();
        uncharged = 0;
        if (amounts.stream().allMatch(amount -> amount == 0)) {
            return null;
        }
        charging += permits;
        return new Owed(permits, amounts);
    }

    /**
     * A charge was executed, or it will never be known whether it was.
     *
     * @param after the decision of Redis right after the charge; null if it is unknown
     * @return the permits that Redis has charged twice, and that must be given back
     */
    public long charged(Owed owed, @Nullable Decision after) {
        lock.lock();
        try {
            share.charged(owed, after, unsettled());
            charging -= owed.permits();
            return settleTwice(owed.permits());
        } finally {
            lock.unlock();
        }
    }

    /** A charge was not executed. The caller must hold the key. */
    public void notCharged(Owed owed) {
        charging -= owed.permits();
        uncharged += owed.permits() - settleTwice(owed.permits());
    }

    private long settleTwice(long permits) {
        long settled = Math.min(twice, permits);
        twice -= settled;
        return settled;
    }

    /**
     * Redis has charged permits that were also used by the share: its answer came too late.
     *
     * @return the permits that are charged twice, and that must be given back
     */
    public long chargedAfterAll(long permits) {
        lock.lock();
        try {
            long before = unsettled();
            long here = Math.min(permits, uncharged);
            uncharged -= here;
            share.settled(before, unsettled());
            long rest = permits - here;
            if (charging == 0) {
                return rest;
            }
            twice += rest;
            return 0;
        } finally {
            lock.unlock();
        }
    }

    /** Whether this key has no information that is still needed. The caller must hold the key. */
    boolean isIdle() {
        return isQuiet() && share.isUnused();
    }

    /** Whether Redis knows all use of this key. The caller must hold the key. */
    boolean isQuiet() {
        return pending == 0 && unsettled() == 0;
    }
}
