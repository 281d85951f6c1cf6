package io.sluice.redis.limits;

import io.sluice.Blocked;
import io.sluice.FixedWindow;
import io.sluice.LeakyBucket;
import io.sluice.Limit;
import io.sluice.Lockout;
import io.sluice.Refill;
import io.sluice.SlidingCounter;
import io.sluice.SlidingLog;
import io.sluice.TokenBucket;
import io.sluice.Unlimited;
import io.sluice.exact.Exact;
import io.sluice.exact.Rate;
import io.sluice.redis.script.Bytes;
import io.sluice.redis.script.Format;
import io.sluice.redis.script.LimitKind;
import io.sluice.redis.script.Reply;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/*
 * A key remembers the version of the limits under which it was written. The script that meets a key of an older version
 * converts it as of the times at which the limits changed. For that it needs the history, which it asks for once.
 */
/** The limits of a limiter in force and their earlier versions, encoded for the scripts. */
public final class VersionedLimits {
    private static final long LONGEST = 1L << 52;
    private static final long MOST = 1L << 50;
    private static final long MOST_OWED = 1L << 52;

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

    /** The limits in force, encoded without history. */
    public final byte[] encoded;

    /** Made when it is first needed. After a change, each key needs the history once. */
    private volatile byte @Nullable [] encodedWithHistory;

    /** Whether permits can be reserved ahead of time. */
    public final boolean reserves;

    /** Whether {@code quick.lua} can decide requests under these limits. */
    public final boolean quick;

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
        encoded = encode(false);
        reserves = inForce.limits().stream().allMatch(VersionedLimits::reserves);
        quick = inForce.limits().size() == 1
                && spills == 0
                && isQuick(inForce.limits().get(0));
    }

    public List<Limit> limits() {
        return inForce.limits();
    }

    int version() {
        return inForce.number();
    }

    /** The encoded form without history, but with another number of spill keys. */
    public byte[] encoded(int spills) {
        byte[] with = encoded.clone();
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

    public byte[] encodedWithHistory() {
        byte[] known = encodedWithHistory;
        if (known == null) {
            known = encode(true);
            encodedWithHistory = known;
        }
        return known;
    }

    private byte[] encode(boolean withHistory) {
        int from = withHistory ? 0 : history.size() - 1;
        Bytes bytes = new Bytes(64);
        bytes.number(version(), 4).number(spills, 1).number(withHistory ? history.size() : 0, 2);
        List<Limit> before = history.get(from).limits();
        bytes.number(before.size(), 1);
        before.forEach(limit -> encode(bytes, limit));
        for (LimitsVersion next : history.subList(from + 1, history.size())) {
            int[] sources = sources(before, next.limits());
            bytes.number(next.since(), 7).number(next.limits().size(), 1);
            for (int i = 0; i < sources.length; i++) {
                bytes.number(sources[i], 1);
                encode(bytes, next.limits().get(i));
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
        encode(full, limit);
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

    /** The predecessor of each limit. A limit that stays keeps its state. Each other limit takes over the state of a limit that goes, in order. */
    private static int[] sources(List<Limit> before, List<Limit> after) {
        List<Integer> left = new ArrayList<>();
        for (int i = 1; i <= before.size(); i++) {
            left.add(i);
        }
        int[] sources = new int[after.size()];
        for (int i = 0; i < sources.length; i++) {
            for (Integer source : left) {
                if (before.get(source - 1).equals(after.get(i))) {
                    sources[i] = source + SAME;
                    left.remove(source);
                    break;
                }
            }
        }
        for (int i = 0; i < sources.length && !left.isEmpty(); i++) {
            if (sources[i] == 0) {
                sources[i] = left.remove(0);
            }
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
        Limit rule = rule(limit);
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
        Limit rule = rule(limit);
        return rule instanceof TokenBucket || rule instanceof LeakyBucket || rule instanceof Unlimited;
    }

    private static Limit rule(Limit limit) {
        return limit instanceof Lockout lockout ? lockout.limit() : limit;
    }

    private static void encode(Bytes bytes, Limit limit) {
        Limit rule = rule(limit);
        long lockout = limit instanceof Lockout locking ? micros(locking.duration()) : 0;
        if (rule instanceof TokenBucket bucket && bucket.refill() == Refill.INTERVAL) {
            long period = micros(bucket.period());
            long most = mostIn(LONGEST / period, bucket.permits(), 1);
            encode(bytes, LimitKind.INTERVAL, period, bucket.permits(), rule, lockout, most);
        } else if (rule instanceof TokenBucket bucket) {
            encodeDraining(bytes, LimitKind.GREEDY, bucket.permits(), bucket.period(), rule, lockout);
        } else if (rule instanceof LeakyBucket bucket) {
            encodeDraining(bytes, LimitKind.LEAKY, bucket.permits(), bucket.period(), rule, lockout);
        } else if (rule instanceof FixedWindow window) {
            encode(
                    bytes,
                    window.fromFirst() ? LimitKind.FROM_FIRST : LimitKind.ALIGNED,
                    micros(window.window()),
                    0,
                    rule,
                    lockout,
                    MOST);
        } else if (rule instanceof SlidingLog log) {
            encode(bytes, LimitKind.LOG, micros(log.window()), 0, rule, lockout, MOST);
        } else if (rule instanceof SlidingCounter counter) {
            encode(
                    bytes,
                    LimitKind.COUNTER,
                    micros(counter.window()) / counter.slots(),
                    counter.slots(),
                    rule,
                    lockout,
                    MOST);
        } else {
            encode(bytes, rule instanceof Blocked ? LimitKind.BLOCKED : LimitKind.UNLIMITED, 0, 0, rule, lockout, 0);
        }
    }

    /** With g = gcd(N, P), one permit is P/g units and one microsecond brings N/g units, both whole numbers. */
    private static void encodeDraining(
            Bytes bytes, LimitKind kind, long permits, Duration period, Limit rule, long lockout) {
        Rate rate = Rate.of(permits, period);
        long most = mostIn(LONGEST, rate.unitsPerMicro(), rate.unitsPerPermit());
        encode(bytes, kind, rate.unitsPerPermit(), rate.unitsPerMicro(), rule, lockout, most);
    }

    private static void encode(Bytes bytes, LimitKind kind, long a, long b, Limit rule, long lockout, long most) {
        bytes.number(kind.code(), 1)
                .number(a, 7)
                .number(b, 7)
                .number(Math.min(rule.capacity(), Reply.UNBOUNDED), 7)
                .number(lockout, 7)
                .number(most, 7);
    }

    /** x * y / z, but at most the permits that a bucket may owe. */
    private static long mostIn(long x, long y, long z) {
        return Math.min(MOST_OWED, Exact.mulDivSaturated(x, y, z));
    }

    private static long micros(Duration duration) {
        return Math.multiplyExact(duration.toMillis(), 1000L);
    }
}
