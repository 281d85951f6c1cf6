package io.sluice.server.rls;

import io.sluice.Blocked;
import io.sluice.CalendarWindow;
import io.sluice.FixedWindow;
import io.sluice.LeakyBucket;
import io.sluice.Limit;
import io.sluice.Lockout;
import io.sluice.SlidingCounter;
import io.sluice.SlidingLog;
import io.sluice.TokenBucket;
import io.sluice.WarmUp;
import io.sluice.server.decide.MaxCallPeriod;
import io.sluice.server.rls.proto.RateLimitDescriptor.RateLimitOverride;
import io.sluice.server.rls.proto.RateLimitResponse.RateLimit;
import io.sluice.server.rls.proto.RateLimitResponse.RateLimit.Unit;
import java.math.BigInteger;
import java.time.Duration;

/** Converts between limits and Envoy's requests per unit. */
final class RateLimitUnits {
    private static final long MAX_UINT32 = 0xffff_ffffL;

    /** Sorted by length. */
    private static final Unit[] UNITS = {Unit.SECOND, Unit.MINUTE, Unit.HOUR, Unit.DAY, Unit.WEEK, Unit.MONTH, Unit.YEAR
    };

    private RateLimitUnits() {}

    /** The limit that comes with a descriptor: a fixed window, as in envoyproxy/ratelimit. */
    static Limit limit(int descriptor, RateLimitOverride override, MaxCallPeriod maxPeriod) {
        Unit unit = Unit.forNumber(override.getUnitValue());
        if (unit == null || unit == Unit.UNKNOWN) {
            throw GrpcException.invalid("descriptors[" + descriptor + "].limit.unit: " + override.getUnitValue()
                    + " (expected: SECOND to YEAR, or WEEK)");
        }
        Duration period = duration(unit);
        if (!maxPeriod.allows(period)) {
            throw GrpcException.invalid("descriptors[" + descriptor + "].limit.unit: " + unit + ", which is "
                    + period.toSeconds() + " seconds " + maxPeriod.expected());
        }
        long permits = Integer.toUnsignedLong(override.getRequestsPerUnit());
        return permits == 0 ? Limit.blocked() : Limit.fixedWindow(permits, period);
    }

    /**
     * A limit's rate: exact if its period is a unit, of constant length or of the calendar; else in the shortest unit that is not shorter than the period, rounded
     * down, at least 1.
     */
    static RateLimit.Builder rate(Limit limit) {
        if (limit instanceof Lockout lockout) {
            return rate(lockout.limit());
        } else if (limit instanceof TokenBucket bucket) {
            return rate(bucket.permits(), bucket.period());
        } else if (limit instanceof LeakyBucket bucket) {
            return rate(bucket.permits(), bucket.period());
        } else if (limit instanceof FixedWindow window) {
            return rate(window.permits(), window.window());
        } else if (limit instanceof CalendarWindow window) {
            return RateLimit.newBuilder().setUnit(unit(window)).setRequestsPerUnit(uint32(window.permits()));
        } else if (limit instanceof WarmUp warmUp) {
            return rate(warmUp.permits(), warmUp.period());
        } else if (limit instanceof SlidingLog log) {
            return rate(log.permits(), log.window());
        } else if (limit instanceof SlidingCounter counter) {
            return rate(counter.permits(), counter.window());
        } else if (limit instanceof Blocked) {
            return RateLimit.newBuilder().setUnit(Unit.SECOND);
        }
        throw new IllegalArgumentException("no rate: " + limit);
    }

    private static RateLimit.Builder rate(long permits, Duration period) {
        Unit unit = Unit.YEAR;
        for (Unit each : UNITS) {
            if (duration(each).compareTo(period) >= 0) {
                unit = each;
                break;
            }
        }
        Duration duration = duration(unit);
        long scaled = duration.equals(period) ? permits : scaled(permits, duration.toMillis(), period.toMillis());
        return RateLimit.newBuilder().setUnit(unit).setRequestsPerUnit(uint32(scaled));
    }

    private static Unit unit(CalendarWindow window) {
        return switch (window.calendar()) {
            case DAY -> Unit.DAY;
            case WEEK -> Unit.WEEK;
            case MONTH -> Unit.MONTH;
            case YEAR -> Unit.YEAR;
        };
    }

    private static long scaled(long permits, long unit, long period) {
        BigInteger exact =
                BigInteger.valueOf(permits).multiply(BigInteger.valueOf(unit)).divide(BigInteger.valueOf(period));
        return exact.min(BigInteger.valueOf(MAX_UINT32)).max(BigInteger.ONE).longValue();
    }

    /** The number, or the largest uint32. */
    static int uint32(long number) {
        return (int) Math.min(number, MAX_UINT32);
    }

    private static Duration duration(Unit unit) {
        return switch (unit) {
            case SECOND -> Duration.ofSeconds(1);
            case MINUTE -> Duration.ofMinutes(1);
            case HOUR -> Duration.ofHours(1);
            case DAY -> Duration.ofDays(1);
            case WEEK -> Duration.ofDays(7);
            case MONTH -> Duration.ofDays(30);
            case YEAR -> Duration.ofDays(365);
            case UNKNOWN, UNRECOGNIZED -> throw new IllegalArgumentException("unit: " + unit);
        };
    }
}
