package io.sluice;

import java.time.Duration;
import java.time.ZoneId;
import org.jspecify.annotations.Nullable;

/** What the text of a limit says after its algorithm, and which options each algorithm has. */
final class LimitOptions {
    final Algorithm algorithm;
    long permits;
    Duration period = Duration.ZERO;

    /** Instead of a period. */
    @Nullable
    CalendarPeriod calendar;

    @Nullable
    ZoneId zone;

    /** The burst, capacity or slots; negative if the text has none. */
    long count = -1;

    Refill refill = Refill.GREEDY;
    boolean fromFirst;
    Duration over = Duration.ZERO;
    Duration hold = Concurrency.DEFAULT_HOLD;

    /** Where an adaptive limit begins; negative if the text does not say. */
    long from = -1;

    long least = AdaptiveConcurrency.DEFAULT_LEAST;
    long most = AdaptiveConcurrency.DEFAULT_MOST;
    Duration lockout = Duration.ZERO;
    int escalate;

    LimitOptions(Algorithm algorithm) {
        this.algorithm = algorithm;
    }

    boolean fits(String word) {
        return switch (word) {
            case "burst", "refill" -> algorithm == Algorithm.TOKEN_BUCKET;
            case "capacity" -> algorithm == Algorithm.LEAKY_BUCKET;
            case "from-first" -> algorithm == Algorithm.FIXED_WINDOW && calendar == null;
            case "zone" -> calendar != null;
            case "slots" -> algorithm == Algorithm.SLIDING_COUNTER;
            case "over" -> algorithm == Algorithm.WARM_UP;
            case "hold" -> algorithm == Algorithm.CONCURRENCY;
            case "from", "between" -> algorithm == Algorithm.ADAPTIVE_CONCURRENCY;
            case "lockout" -> !algorithm.holds();
            case "escalate" -> !lockout.isZero();
            default -> false;
        };
    }

    String expected() {
        String own = switch (algorithm) {
            case TOKEN_BUCKET -> "burst N, refill greedy|interval, ";
            case LEAKY_BUCKET -> "capacity N, ";
            case FIXED_WINDOW -> calendar == null ? "from-first, " : "zone ZONE, ";
            case SLIDING_COUNTER -> "slots N, ";
            case WARM_UP -> "over DURATION, ";
            case CONCURRENCY -> "hold DURATION";
            case ADAPTIVE_CONCURRENCY -> "from N, between N and N";
            default -> "";
        };
        String locking = algorithm.holds() ? "" : lockout.isZero() ? "lockout DURATION" : "escalate N";
        return own + locking + " or the end of the text, for " + algorithm
                + (calendar == null ? "" : " per " + calendar);
    }

    Limit limit() {
        Limit limit = switch (algorithm) {
            case TOKEN_BUCKET -> new TokenBucket(permits, period, count < 0 ? permits : count, refill);
            case LEAKY_BUCKET -> new LeakyBucket(permits, period, count < 0 ? permits : count);
            case FIXED_WINDOW ->
                calendar == null
                        ? new FixedWindow(permits, period, fromFirst)
                        : new CalendarWindow(permits, calendar, zone == null ? Zones.UTC : zone);
            case SLIDING_LOG -> new SlidingLog(permits, period);
            case SLIDING_COUNTER ->
                new SlidingCounter(permits, period, count < 0 ? SlidingCounter.DEFAULT_SLOTS : count);
            case WARM_UP -> new WarmUp(permits, period, over);
            case CONCURRENCY -> new Concurrency(permits, hold);
            case ADAPTIVE_CONCURRENCY ->
                from < 0
                        ? AdaptiveConcurrency.DEFAULT.between(least, most)
                        : new AdaptiveConcurrency(from, least, most);
            case UNLIMITED, BLOCKED -> throw new IllegalStateException(algorithm + " has no rate");
        };
        return lockout.isZero() ? limit : new Lockout(limit, lockout, escalate);
    }
}
