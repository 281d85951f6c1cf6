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
 * Why all processes together stay within the limit and P - 1 shares, when Redis goes, comes back, or misses a deadline.
 *
 * A limit has C permits, P processes use it, and the share of each is S = floor(C / P) (1, if that is none). Look at
 * a time in which nothing is refilled and nothing expires. Let U be what Redis counts in that time, o(m) what process m
 * has admitted by its share and not yet charged to Redis, and x(m) what m accounts of U: what Redis last told it (which
 * includes the use of all), and what m has on its way to Redis since. All that was admitted is at most U + sum o(m).
 *
 *   Rule 1  m admits by its share only if o(m) + ceil(x(m) / P) <= S after it.
 *   Rule 2  Redis decides nothing for m while o(m) > 0: what m owes is charged ahead, on the same way, in order.
 *
 * Redis admits only while U <= C. Every permit in U was sent by some process, which accounts it from that moment on. By
 * rule 2, who has o(m) > 0 has sent nothing since it began to use its share again; so o(m) <= S - ceil(x(m) / P) with an
 * x(m) that has all that m ever sent. The x(m) together are at least U, so
 *
 *   U + sum o(m)  <=  U - sum ceil(x(m) / P) + P * S  <=  U - ceil(U / P) + P * S  <=  C - ceil(C / P) + P * S
 *                 <=  C + (P - 1) * S,
 *
 * because U - ceil(U / P) does not fall as U grows, and S <= ceil(C / P). (Where S - ceil(x(m) / P) is negative, o(m) is 0,
 * and U with the shares of the P - 1 others is within the bound anyway.)
 *
 * A charge moves permits from o(m) to U: the sum stays the same, and the answer tells m the new U. Only charges can bring U
 * above C. Just before the first that does, whoever was told last had at most S - ceil(U / P) to use, and everybody else at
 * most S; so the sum was within the bound even if all of them used all of that. Who is told that U >= C has nothing left,
 * and Redis admits nothing; so from then on the sum stays within it.
 *
 * Buckets drain meanwhile. What m was told drains by the whole rate, of which the share has the P-th part; so
 * ceil(x(m) / P) drains as fast as the share, and the argument holds for levels instead of counts. In a time d, the limit
 * admits C + rate * d, and a share S + rate * d / P. What m has used by its share and Redis has charged, too, must not
 * drain twice: hence what is still owed is the smaller of what was not charged and of what has not drained.
 *
 * Some things are counted more than once, which only makes it stricter: a call that Redis has charged but answered too
 * late, until that answer comes; and of windows, what was known stays in the share for one window from when it was needed.
 * Not counted is what is lost: a charge that was sent and will never be answered. The listener hears of it.
 *
 * So the share is a limiter in memory. When it is needed and something newer is known, it starts anew with ceil(x / P) and
 * with what is owed. What is on its way is kept: the share decides as if that had been asked for as well.
 */
/** What this process knows of a key that it may have to decide by itself. */
public final class LocalKey {
    /** When nothing is left for a while, but some calls are on their way: these are over soon. */
    private static final long SOON_MICROS = 100_000;

    /** As many as any limit has. */
    private static final long MOST_KEPT = 1L << 50;

    public final String key;

    /** Keys that are decided together are locked in this order. */
    final long number;

    private final ReentrantLock lock = new ReentrantLock();

    private final LimiterShares shares;
    private final TimeSource time;
    private final long deadlineMicros;
    private List<ReportedUse> known = List.of();

    /** For each limit, what was used here lately. */
    private List<RecentUse> recent = List.of();

    private List<Limit> knownLimits = List.of();

    /** Permits of calls that may be charged by Redis, and have no answer yet. */
    private long pending;

    /** Permits that were used here and not charged to Redis. */
    private long uncharged;

    /** Permits of charges that are on their way. */
    private long charging;

    /** Of these, what Redis turned out to have charged before. */
    private long twice;

    /** Whether the share has started from what is known. */
    private boolean started;

    /** Whether nobody may use this any more, because it was forgotten. */
    boolean forgotten;

    /** Charges that may have been done or not. */
    public int doubts;

    /**
     * Permits that were used here, to be charged to Redis.
     *
     * @param permits as they were used
     * @param amounts what still counts of them, for each limit
     */
    public record Owed(long permits, List<Long> amounts) {}

    /** Permits of the share, taken ahead of their time. */
    public record Promise(boolean granted, long waitMicros, Runnable cancel) {}

    /** @param deadlineMicros how long a call may be on its way */
    LocalKey(String key, long number, LimiterShares shares, TimeSource time, long deadlineMicros) {
        this.key = key;
        this.number = number;
        this.shares = shares;
        this.time = time;
        this.deadlineMicros = deadlineMicros;
    }

    /** Nobody else touches it until it is released. */
    public void hold() {
        lock.lock();
    }

    boolean tryHold() {
        return lock.tryLock();
    }

    public void release() {
        lock.unlock();
    }

    // --- on its way to Redis and back ---

    /** Something is sent to Redis that may be charged there. */
    public void sent(long permits) {
        pending += permits;
    }

    /** It was answered, by Redis or without it. */
    public void settled(long permits) {
        lock.lock();
        try {
            pending -= permits;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Redis has decided.
     *
     * @param kept what was kept for others, and not told as remaining
     */
    public void heard(Decision decision, long kept) {
        learn((use, now) -> use.heard(decision, kept, known.size() == 1, now));
    }

    /** Redis has given permits, and has not told what is left. */
    public void taken(long permits) {
        learn((use, now) -> use.add(permits, now));
    }

    /** Redis has forgotten the key, as it was told to. */
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

    /** What is known of a limit, or 0 if nothing is. */
    private long used(int i, long now) {
        return i < known.size() ? known.get(i).at(now) : 0;
    }

    // --- by the share; all of this is for whoever holds it ---

    /** The charges on the share that stand for so many permits. */
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

    /** This process's part of what is kept for others, and of what is on its way. */
    private long keeps(Division division, long kept) {
        return Math.min(MOST_KEPT, division.part(kept) + division.part(Math.min(MOST_KEPT, pending)));
    }

    /** Permits of the share were used. */
    public void used(long permits) {
        long now = time.micros();
        prepare();
        recent.forEach(use -> use.add(permits, now));
        uncharged += permits;
    }

    /** Takes permits of the share, if they are there. */
    public Decision take(long permits) {
        Decisions decisions = shares.memory().decide(charges(permits, 0, false));
        if (decisions.allowed()) {
            used(permits);
        }
        return strictest(decisions.each());
    }

    /** Gives back permits of the share that were just taken and are not wanted. */
    public void refund(long permits) {
        for (RateLimiter share : started().each()) {
            share.refund(key, permits);
        }
        uncharged = Math.max(0, uncharged - permits);
    }

    /** What would be answered; takes nothing. */
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

    /** Takes permits of the share ahead of their time. */
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

    /** The answer of limits that were decided together. */
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

    /** The share, started from what is known. */
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

    /** For each limit, how much of what was used here and is not charged still counts. */
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

    /** What was used here of one share, and still counts; of a bucket, apart from what was known before. */
    private long own(int i, RateLimiter share, long before, long now) {
        Limit limit = share.limits().get(0);
        Limit rule = limit instanceof Lockout lockout ? lockout.limit() : limit;
        Decision look = share.peek(key, 0);
        // What was on its way drained at Redis, while what was used here drained as well. Until that is noticed, a
        // deadline may pass; so much is not taken to have drained here. How far a limit is overdrawn, only the time
        // says until it is fresh, and only of a bucket.
        long level = rule.capacity() - Math.min(rule.capacity(), look.remaining());
        if (rule instanceof LeakyBucket || rule instanceof TokenBucket) {
            level = look.remaining() > 0 ? level : ReportedUse.inTime(rule, look.resetAfterMicros());
            return Math.max(0, level + ReportedUse.inTime(rule, deadlineMicros) - before);
        }
        long lately = i < recent.size() ? recent.get(i).at(now) : Long.MAX_VALUE;
        return look.remaining() > 0 ? Math.min(level, lately) : lately;
    }

    // --- charging Redis with what was used here ---

    public boolean owes() {
        return uncharged > 0;
    }

    /** What is to be charged to Redis now, if anything; for whoever holds this. */
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
     * It was charged, or nobody will ever know.
     *
     * @param after what Redis says of the key right after, if it was charged
     * @return what Redis has charged twice, and is to be given back
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
                // What has drained meanwhile has drained there, too, and must not count for both.
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

    /** It was not charged; for whoever holds this. */
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
     * Permits that were used here turn out to be charged by Redis, whose answer came too late.
     *
     * @return what is charged twice, and is to be given back
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

    /** Whether there is nothing that anybody would need; for whoever holds this. */
    boolean isIdle() {
        long now = time.micros();
        return pending == 0 && uncharged + charging == 0 && known.stream().allMatch(use -> use.at(now) == 0);
    }

    /** Whether Redis knows all that matters here; for whoever holds this. */
    boolean isQuiet() {
        return pending == 0 && uncharged + charging == 0;
    }
}
