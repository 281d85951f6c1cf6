package io.sluice.redis.limits;

import io.sluice.Blocked;
import io.sluice.CalendarWindow;
import io.sluice.Concurrency;
import io.sluice.FixedWindow;
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
import io.sluice.exact.Exact;
import io.sluice.exact.Rate;
import io.sluice.exact.WarmUpRate;
import io.sluice.redis.script.Bytes;
import io.sluice.redis.script.LimitKind;
import io.sluice.redis.script.Reply;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;

/** Encodes one limit for the scripts; {@code terms.lua} describes the form. */
final class EncodedLimit {
    private static final long LONGEST = 1L << 52;
    private static final long MOST = 1L << 50;
    private static final long MOST_OWED = 1L << 52;

    /** Marks a lockout that escalates. Other lockouts are shorter. */
    private static final long ESCALATING = 1L << 51;

    private EncodedLimit() {}

    static Limit rule(Limit limit) {
        return limit instanceof Lockout lockout ? lockout.limit() : limit;
    }

    /** @param times the times whose windows of the calendar are sent with the limit */
    static void write(Bytes bytes, Limit limit, CalendarTimes times) {
        Limit rule = rule(limit);
        long lockout = lockout(limit);
        if (rule instanceof TokenBucket bucket && bucket.refill() == Refill.INTERVAL) {
            long period = micros(bucket.period());
            long most = mostIn(LONGEST / period, bucket.permits(), 1);
            write(bytes, LimitKind.INTERVAL, period, bucket.permits(), rule, lockout, most);
        } else if (rule instanceof TokenBucket bucket) {
            writeDraining(bytes, LimitKind.GREEDY, bucket.permits(), bucket.period(), rule, lockout);
        } else if (rule instanceof LeakyBucket bucket) {
            writeDraining(bytes, LimitKind.LEAKY, bucket.permits(), bucket.period(), rule, lockout);
        } else if (rule instanceof FixedWindow window) {
            LimitKind kind = window.fromFirst() ? LimitKind.FROM_FIRST : LimitKind.ALIGNED;
            write(bytes, kind, micros(window.window()), 0, rule, lockout, MOST);
        } else if (rule instanceof CalendarWindow window) {
            write(bytes, LimitKind.CALENDAR, idOf(window), 0, rule, lockout, MOST);
            writeWindows(bytes, times.windowsOf(window));
        } else if (rule instanceof SlidingLog log) {
            write(bytes, LimitKind.LOG, micros(log.window()), 0, rule, lockout, MOST);
        } else if (rule instanceof SlidingCounter counter) {
            long slot = micros(counter.window()) / counter.slots();
            write(bytes, LimitKind.COUNTER, slot, counter.slots(), rule, lockout, MOST);
        } else if (rule instanceof WarmUp warmUp) {
            WarmUpRate rate = WarmUpRate.of(warmUp.permits(), warmUp.period(), warmUp.over());
            write(bytes, LimitKind.WARM_UP, rate.unitsPerPermit(), rate.unitsPerMicro(), rate.full(), lockout, MOST);
        } else if (rule instanceof Concurrency concurrency) {
            long most = concurrency.permits();
            write(bytes, LimitKind.CONCURRENCY, micros(concurrency.hold()), 0, rule, lockout, most);
        } else if (rule instanceof Unlimited || rule instanceof Blocked) {
            LimitKind kind = rule instanceof Blocked ? LimitKind.BLOCKED : LimitKind.UNLIMITED;
            write(bytes, kind, 0, 0, rule, lockout, 0);
        } else {
            throw new IllegalArgumentException("limit: " + limit + " (expected: an algorithm that the scripts know)");
        }
    }

    private static long lockout(Limit limit) {
        if (!(limit instanceof Lockout lockout)) {
            return 0;
        }
        return lockout.escalate() == 0
                ? micros(lockout.duration())
                : ESCALATING + 16 * lockout.duration().toMillis() + lockout.escalate();
    }

    /** A number that windows of the same calendar and zone have, and no others: 48 bits of FNV-1a over their text. */
    static long idOf(CalendarWindow window) {
        long hash = 0xcbf29ce484222325L;
        for (byte letter : window.permits(1).toString().getBytes(StandardCharsets.UTF_8)) {
            hash = (hash ^ letter) * 0x100000001b3L;
        }
        return hash >>> 16;
    }

    private static void writeWindows(Bytes bytes, List<TimeSpan> windows) {
        bytes.number(windows.size(), 2);
        for (TimeSpan window : windows) {
            // Numbers are unsigned, and no time is before the epoch.
            bytes.number(Math.max(0, window.begin()), 7).number(window.end(), 7);
        }
    }

    /** With g = gcd(N, P), one permit is P/g units and one microsecond brings N/g units, both whole numbers. */
    private static void writeDraining(
            Bytes bytes, LimitKind kind, long permits, Duration period, Limit rule, long lockout) {
        Rate rate = Rate.of(permits, period);
        long most = mostIn(LONGEST, rate.unitsPerMicro(), rate.unitsPerPermit());
        write(bytes, kind, rate.unitsPerPermit(), rate.unitsPerMicro(), rule, lockout, most);
    }

    private static void write(Bytes bytes, LimitKind kind, long a, long b, Limit rule, long lockout, long most) {
        write(bytes, kind, a, b, Math.min(rule.capacity(), Reply.UNBOUNDED), lockout, most);
    }

    private static void write(Bytes bytes, LimitKind kind, long a, long b, long capacity, long lockout, long most) {
        bytes.number(kind.code(), 1)
                .number(a, 7)
                .number(b, 7)
                .number(capacity, 7)
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
