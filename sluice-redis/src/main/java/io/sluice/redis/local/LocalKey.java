package io.sluice.redis.local;

import io.sluice.Charge;
import io.sluice.Decision;
import io.sluice.Decisions;
import io.sluice.LeakyBucket;
import io.sluice.Limit;
import io.sluice.Lockout;
import io.sluice.RateLimiter;
import io.sluice.Reservation;
import io.sluice.TimeSource;
import io.sluice.TokenBucket;
import io.sluice.redis.local.LimiterShares.Division;
import io.sluice.redis.script.Arguments;
import io.sluice.spi.PolicyCharge;
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
    private final TimeSource time;
    private final long deadlineMicros;
    private List<ReportedUse> known = List.of();

    /** For each limit, the permits that this process has used by its share lately. */
    private List<RecentUse> recent = List.of();

    private List<Limit> knownLimits = List.of();

    /** Permits of calls that have no answer yet, and that Redis may charge. */
    private long pending;

    /** Permits that were used by the share and are not charged to Redis. */
    private long uncharged;

    /** Permits of charges that are on their way to Redis. */
    private long charging;

    /** The part of these permits that Redis has charged before, as a late answer showed. */
    private long twice;

    /** Whether the limiters in memory hold the reported use and the own use. */
    private boolean started;

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
        this.time = time;
        this.deadlineMicros = deadlineMicros;
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
    public void heard(Decision decision, long kept) {
        learn((use, now) -> use.heard(decision, kept, known.size() == 1, now));
    }

    /** Redis has charged permits, and did not report what remains. */
    public void taken(long permits) {
        learn((use, now) -> use.add(permits, now));
    }

    /** Redis has reset the key. */
    public void reset() {
        learn((use, now) -> use.clear());
    }

    private interface Lesson {
        void on(ReportedUse use, long now);
    }

    private void learn(Lesson lesson) {
        lock.lock();
        try {
            long now = time.micros();
            prepare();
            if (started && uncharged + charging > 0) {
                long[] own = own(shares.now(), now);
                known.forEach(use -> lesson.on(use, now));
                start(shares.now(), own, now);
            } else {
                known.forEach(use -> lesson.on(use, now));
                started = false;
            }
        } finally {
            lock.unlock();
        }
    }

    private void prepare() {
        List<Limit> limits = shares.limits();
        if (!limits.equals(knownLimits)) {
            known = limits.stream().map(ReportedUse::new).toList();
            recent = known.stream().map(use -> new RecentUse(use.longest())).toList();
            knownLimits = limits;
        }
    }

    /** The reported use of a limit; 0 if there is no report. */
    private long used(int i, long now) {
        return i < known.size() ? known.get(i).at(now) : 0;
    }

    // --- decisions by the share; the caller must hold the key ---

    /** The charges on the limiters in memory for a number of permits. */
    public List<Charge> charges(long permits, long kept, boolean shadow) {
        Division division = started();
        long keeps = keeps(division, kept);
        List<Charge> charges = new ArrayList<>();
        for (RateLimiter share : division.each()) {
            PolicyCharge charge = PolicyCharge.of(share.charge(key, permits)).keeping(keeps);
            charges.add(shadow ? charge.inShadow() : charge);
        }
        return charges;
    }

    /** This process's part of the permits that are kept for other requests, and of those on their way to Redis. */
    private long keeps(Division division, long kept) {
        return Math.min(MOST_KEPT, division.part(kept) + division.part(Math.min(MOST_KEPT, pending)));
    }

    /** Notes that permits of the share were used. */
    public void used(long permits) {
        long now = time.micros();
        prepare();
        recent.forEach(use -> use.add(permits, now));
        uncharged += permits;
    }

    /** Takes permits of the share, if they are available. */
    public Decision take(long permits) {
        Decisions decisions = shares.memory().decide(charges(permits, 0, false));
        if (decisions.allowed()) {
            used(permits);
        }
        return strictest(decisions.each());
    }

    /** Gives back permits of the share that were just taken. */
    public void refund(long permits) {
        for (RateLimiter share : started().each()) {
            share.refund(key, permits);
        }
        uncharged = Math.max(0, uncharged - permits);
    }

    /** The decision on a request; takes no permits. */
    public Decision look(long permits, long kept) {
        Division division = started();
        long keeps = keeps(division, kept);
        long judged = permits > Long.MAX_VALUE - keeps ? Long.MAX_VALUE : permits + keeps;
        List<Decision> looks = new ArrayList<>();
        for (RateLimiter share : division.each()) {
            Decision look = share.peek(key, judged);
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
        Division division = started();
        if (pending > 0 && !look(permits, 0).allowed()) {
            return new Promise(false, SOON_MICROS, () -> {});
        }
        Duration atMost = Duration.ofNanos(atMostMicros * 1000);
        List<Reservation> taken = new ArrayList<>();
        long wait = 0;
        for (RateLimiter share : division.each()) {
            Reservation reservation = share.reserve(key, permits, atMost);
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

    /** The limiters in memory, which hold the reported use and the own use. */
    private Division started() {
        Division division = shares.now();
        if (!started) {
            long now = time.micros();
            start(division, own(division, now), now);
        }
        return division;
    }

    private void start(Division division, long[] own, long now) {
        started = true;
        for (int i = 0; i < own.length; i++) {
            RateLimiter share = division.each().get(i);
            share.reset(key);
            long used = division.part(used(i, now)) + own[i];
            if (used > 0) {
                share.penalize(key, used);
            }
        }
    }

    /** For each limit, how many of the permits that were used by the share and are not charged still count. */
    private long[] own(Division division, long now) {
        long[] own = new long[division.each().size()];
        for (int i = 0; i < own.length; i++) {
            own[i] = uncharged + charging;
            if (started) {
                long before = used(i, now) / division.processes();
                own[i] = Math.min(own[i], own(i, division.each().get(i), before, now));
            }
        }
        return own;
    }

    /** The permits of one limit that were used by the share and still count; for a bucket, without the reported use. */
    private long own(int i, RateLimiter share, long before, long now) {
        Limit limit = share.limits().get(0);
        Limit rule = limit instanceof Lockout lockout ? lockout.limit() : limit;
        Decision look = share.peek(key, 0);
        // Calls on their way drained at Redis while the use of the share drained as well. A deadline may pass until
        // this process notices, so that much does not count as drained here. Only the time until a bucket is fresh says
        // how far it is overdrawn.
        long level = rule.capacity() - Math.min(rule.capacity(), look.remaining());
        if (rule instanceof LeakyBucket || rule instanceof TokenBucket) {
            level = look.remaining() > 0 ? level : ReportedUse.inTime(rule, look.resetAfterMicros());
            return Math.max(0, level + ReportedUse.inTime(rule, deadlineMicros) - before);
        }
        long lately = i < recent.size() ? recent.get(i).at(now) : Long.MAX_VALUE;
        return look.remaining() > 0 ? Math.min(level, lately) : lately;
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
        List<Long> amounts = Arrays.stream(own(shares.now(), time.micros()))
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
            Division division = shares.now();
            long now = time.micros();
            long[] own = own(division, now);
            prepare();
            charging -= owed.permits();
            long rest = uncharged + charging;
            for (int i = 0; i < Math.min(own.length, known.size()); i++) {
                // Permits that have drained meanwhile have drained at Redis as well, and must not count twice.
                own[i] = Math.min(rest, own[i]);
                if (after != null) {
                    known.get(i).heard(after, 0, known.size() == 1, now);
                } else {
                    known.get(i).add(i < owed.amounts().size() ? owed.amounts().get(i) : 0, now);
                }
            }
            if (started && rest > 0) {
                start(division, own, now);
            } else {
                started = false;
            }
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
            long now = time.micros();
            long[] own = started ? own(shares.now(), now) : new long[0];
            long here = Math.min(permits, uncharged);
            uncharged -= here;
            if (started) {
                for (int i = 0; i < own.length; i++) {
                    own[i] = Math.min(own[i], uncharged + charging);
                }
                start(shares.now(), own, now);
            }
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
        long now = time.micros();
        return pending == 0 && uncharged + charging == 0 && known.stream().allMatch(use -> use.at(now) == 0);
    }

    /** Whether Redis knows all use of this key. The caller must hold the key. */
    boolean isQuiet() {
        return pending == 0 && uncharged + charging == 0;
    }
}
