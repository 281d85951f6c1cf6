package io.sluice.redis.limits;

import io.sluice.CalendarWindow;
import io.sluice.Concurrency;
import io.sluice.LeakyBucket;
import io.sluice.Limit;
import io.sluice.Lockout;
import io.sluice.Refill;
import io.sluice.SlidingCounter;
import io.sluice.SlidingLog;
import io.sluice.TimeSpan;
import io.sluice.TokenBucket;
import io.sluice.Unlimited;
import io.sluice.WarmUp;
import io.sluice.exact.Rate;
import io.sluice.redis.script.Bytes;
import io.sluice.redis.script.Format;
import io.sluice.redis.script.Reply;
import io.sluice.spi.Predecessors;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/*
 * A key remembers the version of the limits under which it was written. The script that meets a key of an older version
 * converts it as of the times at which the limits changed. For that it needs the history, which it asks for once.
 */
/** The limits of a limiter in force and their earlier versions, encoded for the scripts. */
public final class VersionedLimits {
    /** More entries than this are in a spill key; see {@code ring.lua}. */
    private static final int INLINE = Format.INLINE.code();

    private static final int SAME = Format.SAME_LIMIT.code();

    /** The version of limits that come with calls. */
    private static final int CALL_LIMIT_VERSION = Format.CALL_LIMIT_VERSION.code();

    /** The position of the number of spills in the encoded form. */
    private static final int SPILLS_AT = 4;

    /** Oldest first. */
    final List<LimitsVersion> history;

    public final LimitsVersion inForce;

    /** The number of spill keys that each key may have. */
    public final int spills;

    /** The limits in force, encoded without history and without windows of the calendar. */
    private final byte[] encoded;

    /** Made when it is first needed. After a change, each key needs the history once. */
    private volatile byte @Nullable [] encodedWithHistory;

    private final boolean usesCalendar;

    /** The encoded form with the windows of the calendar around the time of the latest call. */
    private volatile @Nullable CalendarEncoding calendarEncoding;

    /** Whether permits can be reserved ahead of time. */
    public final boolean reserves;

    /** Whether {@code quick.lua} can decide requests under these limits. */
    public final boolean quick;

    /** Whether {@code quick_concurrency.lua} can decide requests under these limits. */
    public final boolean quickHolds;

    /** Whether a limit is of concurrency. Then permits are held and given back. */
    public final boolean holds;

    /** Whether a limit uses permits up. */
    public final boolean counts;

    /** The shortest time after which a hold lapses that is not renewed; 0 without concurrency limits. */
    public final long holdMicros;

    /** Stands for the limit that is stored with a key, in requests that bring no limit to a key of a call limiter. */
    public static final VersionedLimits UNSPECIFIED =
            new VersionedLimits(List.of(new LimitsVersion(CALL_LIMIT_VERSION, 0, 0, List.of())));

    /** A limit that comes with a call. It has no versions. */
    public static VersionedLimits ofCall(Limit limit) {
        return new VersionedLimits(List.of(new LimitsVersion(CALL_LIMIT_VERSION, 0, 0, List.of(limit))));
    }

    VersionedLimits(List<LimitsVersion> history) {
        this.history = List.copyOf(history);
        inForce = history.get(history.size() - 1);
        spills = spillsOf(history);
        usesCalendar = usesCalendar(history);
        encoded = encode(false, CalendarTimes.NONE);
        reserves = inForce.limits().stream().allMatch(VersionedLimits::reserves);
        quick = inForce.limits().size() == 1
                && spills == 0
                && isQuick(inForce.limits().get(0));
        holds = inForce.limits().stream().anyMatch(Concurrency.class::isInstance);
        counts = !inForce.limits().stream().allMatch(Concurrency.class::isInstance);
        quickHolds = holds && inForce.limits().size() == 1 && spills == 0;
        holdMicros = inForce.limits().stream()
                .filter(Concurrency.class::isInstance)
                .mapToLong(limit -> ((Concurrency) limit).hold().toMillis() * 1000)
                .min()
                .orElse(0);
    }

    public List<Limit> limits() {
        return inForce.limits();
    }

    int version() {
        return inForce.number();
    }

    /** The encoded form without history, but with another number of spill keys. */
    public byte[] encoded(int spills, CalendarTimes times) {
        byte[] with = encoded(false, times).clone();
        with[SPILLS_AT] = (byte) spills;
        return with;
    }

    public boolean hasSameLimits(VersionedLimits other) {
        return this == other || limits().equals(other.limits());
    }

    /** Whether a denial may start a lockout. */
    public boolean locksOut() {
        return limits().stream().anyMatch(Lockout.class::isInstance);
    }

    private byte[] encodedWithHistory() {
        byte[] known = encodedWithHistory;
        if (known == null) {
            known = encode(true, CalendarTimes.NONE);
            encodedWithHistory = known;
        }
        return known;
    }

    /** Whether the encoded form needs windows of the calendar. */
    private static boolean usesCalendar(List<LimitsVersion> history) {
        return history.stream()
                .flatMap(version -> version.limits().stream())
                .anyMatch(limit -> EncodedLimit.rule(limit) instanceof CalendarWindow);
    }

    /**
     * The encoded form, with the windows of the calendar at some times.
     *
     * @param times on the clock of Redis; without meaning for limits that do not use the calendar
     */
    public byte[] encoded(boolean withHistory, CalendarTimes times) {
        if (!usesCalendar) {
            return withHistory ? encodedWithHistory() : encoded;
        }
        CalendarEncoding known = withHistory ? null : calendarEncoding;
        if (known == null || !known.isFor(times)) {
            known = new CalendarEncoding(
                    encode(withHistory, times), times.isOneTime() ? commonWindow(times.first()) : null);
            calendarEncoding = withHistory ? calendarEncoding : known;
        }
        return known.bytes;
    }

    /** The time span around a time in which no limit in force begins another window. */
    private TimeSpan commonWindow(long time) {
        long begin = Long.MIN_VALUE;
        long end = Long.MAX_VALUE;
        for (Limit limit : limits()) {
            if (EncodedLimit.rule(limit) instanceof CalendarWindow window) {
                TimeSpan span = window.windowAt(time);
                begin = Math.max(begin, span.begin());
                end = Math.min(end, span.end());
            }
        }
        return new TimeSpan(begin, end);
    }

    private byte[] encode(boolean withHistory, CalendarTimes times) {
        int from = withHistory ? 0 : history.size() - 1;
        Bytes bytes = new Bytes(64);
        bytes.number(version(), 4).number(spills, 1).number(withHistory ? history.size() : 0, 2);
        List<Limit> before = history.get(from).limits();
        bytes.number(before.size(), 1);
        before.forEach(limit -> EncodedLimit.write(bytes, limit, times));
        for (LimitsVersion next : history.subList(from + 1, history.size())) {
            int[] sources = sources(before, next.limits());
            bytes.number(next.since(), 7).number(next.limits().size(), 1);
            for (int i = 0; i < sources.length; i++) {
                bytes.number(sources[i], 1);
                EncodedLimit.write(bytes, next.limits().get(i), times);
            }
            before = next.limits();
        }
        if (version() == CALL_LIMIT_VERSION && !before.isEmpty()) {
            encodeOwn(bytes, before.get(0));
        }
        return bytes.toArray();
    }

    /** Encodes the beginning of the stored state of a key that has this as its own limit; see {@code state.lua}. */
    private static void encodeOwn(Bytes bytes, Limit limit) {
        Bytes full = new Bytes(36);
        EncodedLimit.write(full, limit, CalendarTimes.NONE);
        byte[] fixed = full.toArray();
        bytes.number(Format.FORMAT_MORE.code(), 1)
                .number(1, 1)
                .number(CALL_LIMIT_VERSION, 4)
                .number(Format.OWN_LIMIT.code(), 1)
                .number(fixed[0], 1);
        for (int at = 1; at < 1 + 4 * 7; at += 7) {
            long number = new Reply(Arrays.copyOfRange(fixed, at, at + 7)).number(7);
            int width = (Long.SIZE - Long.numberOfLeadingZeros(number) + 7) / 8;
            bytes.number(width, 1).number(number, width);
        }
    }

    /** The number of the predecessor of each limit, from 1; 0 for none. */
    private static int[] sources(List<Limit> before, List<Limit> after) {
        int[] sources = Predecessors.of(before, after);
        for (int i = 0; i < sources.length; i++) {
            int old = sources[i];
            boolean stays = old != Predecessors.NONE && before.get(old).equals(after.get(i));
            sources[i] = old == Predecessors.NONE ? 0 : old + 1 + (stays ? SAME : 0);
        }
        return sources;
    }

    private static int spillsOf(List<LimitsVersion> history) {
        boolean any = false;
        int most = 0;
        for (LimitsVersion version : history) {
            most = Math.max(most, version.limits().size());
            for (Limit limit : version.limits()) {
                any |= mayBeLong(limit);
            }
        }
        return any ? most : 0;
    }

    private static boolean mayBeLong(Limit limit) {
        Limit rule = EncodedLimit.rule(limit);
        return (rule instanceof SlidingLog && rule.capacity() > INLINE)
                || (rule instanceof SlidingCounter counter && counter.slots() >= INLINE);
    }

    /** {@code quick.lua} needs that one product stays exact. */
    private static boolean isQuick(Limit limit) {
        if (!(limit instanceof TokenBucket bucket) || bucket.refill() == Refill.INTERVAL) {
            return false;
        }
        long permit = Rate.of(bucket.permits(), bucket.period()).unitsPerPermit();
        return Math.multiplyHigh(permit, bucket.burst()) == 0 && (permit * bucket.burst()) >>> 53 == 0;
    }

    private static boolean reserves(Limit limit) {
        Limit rule = EncodedLimit.rule(limit);
        return rule instanceof TokenBucket
                || rule instanceof LeakyBucket
                || rule instanceof WarmUp
                || rule instanceof Unlimited;
    }
}
