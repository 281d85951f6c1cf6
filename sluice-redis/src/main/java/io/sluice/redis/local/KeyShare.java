package io.sluice.redis.local;

import io.sluice.Decision;
import io.sluice.LeakyBucket;
import io.sluice.Limit;
import io.sluice.Lockout;
import io.sluice.RateLimiter;
import io.sluice.TimeSource;
import io.sluice.TokenBucket;
import io.sluice.redis.local.LimiterShares.Division;
import io.sluice.redis.local.LocalKey.Owed;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The limiters in memory that enforce the local share of one key. They start from the use that Redis reported and from the
 * permits that the share has used. Guarded by its {@link LocalKey}, which explains why.
 *
 * <p>In all methods, {@code unsettled} are the permits that were used by the share, and that Redis has not confirmed as charged.
 */
final class KeyShare {
    private final String key;
    private final LimiterShares shares;
    private final TimeSource time;
    private final long deadlineMicros;

    /** For each limit, the use that Redis reported. */
    private List<ReportedUse> reported = List.of();

    /** For each limit, the permits that this process has used by its share lately. */
    private List<RecentUse> recent = List.of();

    private List<Limit> knownLimits = List.of();

    /** Whether the limiters in memory hold the reported use and the own use. */
    private boolean started;

    /** @param deadlineMicros the maximum time that a call is on its way to Redis */
    KeyShare(String key, LimiterShares shares, TimeSource time, long deadlineMicros) {
        this.key = key;
        this.shares = shares;
        this.time = time;
        this.deadlineMicros = deadlineMicros;
    }

    /** The limiters in memory, with the reported use and the own use. */
    Division start(long unsettled) {
        Division division = shares.now();
        if (!started) {
            long now = time.micros();
            start(division, ownUse(division, unsettled, now), now);
        }
        return division;
    }

    private void start(Division division, long[] own, long now) {
        started = true;
        for (int i = 0; i < own.length; i++) {
            RateLimiter share = division.each().get(i);
            share.reset(key);
            long used = division.part(reported(i, now)) + own[i];
            if (used > 0) {
                share.penalize(key, used);
            }
        }
    }

    /** Notes that permits of the share were used. */
    void used(long permits) {
        long now = time.micros();
        followLimits();
        recent.forEach(use -> use.add(permits, now));
    }

    /**
     * Redis has decided a call.
     *
     * @param kept the permits that were kept for other requests, and are not in the remaining permits
     */
    void decided(Decision decision, long kept, long unsettled) {
        learn((use, now) -> use.decided(decision, kept, reported.size() == 1, now), unsettled);
    }

    /** Redis has charged permits, and did not report what remains. */
    void taken(long permits, long unsettled) {
        learn((use, now) -> use.add(permits, now), unsettled);
    }

    /** Redis has reset the key. */
    void reset(long unsettled) {
        learn((use, now) -> use.clear(), unsettled);
    }

    private interface Lesson {
        void on(ReportedUse use, long now);
    }

    private void learn(Lesson lesson, long unsettled) {
        long now = time.micros();
        followLimits();
        if (started && unsettled > 0) {
            long[] own = ownUse(shares.now(), unsettled, now);
            reported.forEach(use -> lesson.on(use, now));
            start(shares.now(), own, now);
        } else {
            reported.forEach(use -> lesson.on(use, now));
            started = false;
        }
    }

    /**
     * A charge was executed, or it will never be known whether it was.
     *
     * @param after the decision of Redis right after the charge; null if it is unknown
     * @param unsettled with the permits of this charge
     */
    void charged(Owed owed, @Nullable Decision after, long unsettled) {
        Division division = shares.now();
        long now = time.micros();
        long[] own = ownUse(division, unsettled, now);
        followLimits();
        long rest = unsettled - owed.permits();
        for (int i = 0; i < Math.min(own.length, reported.size()); i++) {
            // Permits that have drained meanwhile have drained at Redis as well, and must not count twice.
            own[i] = Math.min(rest, own[i]);
            if (after != null) {
                reported.get(i).decided(after, 0, reported.size() == 1, now);
            } else {
                reported.get(i).add(i < owed.amounts().size() ? owed.amounts().get(i) : 0, now);
            }
        }
        if (started && rest > 0) {
            start(division, own, now);
        } else {
            started = false;
        }
    }

    /** Redis has charged some of the unsettled permits, as a late answer showed. */
    void settled(long unsettledBefore, long unsettledAfter) {
        if (started) {
            long now = time.micros();
            long[] own = ownUse(shares.now(), unsettledBefore, now);
            for (int i = 0; i < own.length; i++) {
                own[i] = Math.min(own[i], unsettledAfter);
            }
            start(shares.now(), own, now);
        }
    }

    /** For each limit, how many of the unsettled permits still count. */
    long[] ownUse(long unsettled) {
        return ownUse(shares.now(), unsettled, time.micros());
    }

    private long[] ownUse(Division division, long unsettled, long now) {
        long[] own = new long[division.each().size()];
        for (int i = 0; i < own.length; i++) {
            own[i] = unsettled;
            if (started) {
                long before = reported(i, now) / division.processes();
                own[i] = Math.min(own[i], ownUse(i, division.each().get(i), before, now));
            }
        }
        return own;
    }

    /** The permits of one limit that were used by the share and still count; for a bucket, without the reported use. */
    private long ownUse(int i, RateLimiter share, long before, long now) {
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

    /** The reported use of a limit; 0 if there is no report. */
    private long reported(int i, long now) {
        return i < reported.size() ? reported.get(i).at(now) : 0;
    }

    /** Whether no reported use is left. */
    boolean isUnused() {
        long now = time.micros();
        return reported.stream().allMatch(use -> use.at(now) == 0);
    }

    /** If the limiter has other limits, forgets the use under the earlier ones. */
    private void followLimits() {
        List<Limit> limits = shares.limits();
        if (!limits.equals(knownLimits)) {
            reported = limits.stream().map(ReportedUse::new).toList();
            recent = reported.stream().map(use -> new RecentUse(use.longest())).toList();
            knownLimits = limits;
        }
    }
}
