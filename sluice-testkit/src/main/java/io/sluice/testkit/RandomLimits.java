package io.sluice.testkit;

import io.sluice.CalendarPeriod;
import io.sluice.CalendarWindow;
import io.sluice.Concurrency;
import io.sluice.FixedWindow;
import io.sluice.LeakyBucket;
import io.sluice.Limit;
import io.sluice.Lockout;
import io.sluice.Refill;
import io.sluice.SlidingCounter;
import io.sluice.SlidingLog;
import io.sluice.TokenBucket;
import io.sluice.WarmUp;
import java.time.Duration;
import java.time.ZoneId;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;

/** Random limits of every algorithm and option, from everyday values to the largest that are accepted. */
final class RandomLimits {
    static final String CONCURRENCY = "concurrency";

    /** One kind for each algorithm and option that uses permits up. */
    static final List<String> RATES = List.of(
            "token-bucket",
            "token-bucket interval",
            "leaky-bucket",
            "fixed-window",
            "from-first",
            "sliding-log",
            "sliding-counter",
            "calendar",
            "warm-up");

    /** All kinds. */
    static final List<String> KINDS =
            Stream.concat(RATES.stream(), Stream.of(CONCURRENCY)).toList();

    /** Zones with offsets of half an hour, midnights that do not exist or come twice, a day that was skipped, and none of that. */
    private static final List<String> ZONES = List.of(
            "UTC",
            "Asia/Shanghai",
            "Asia/Kolkata",
            "Europe/Berlin",
            "America/Sao_Paulo",
            "America/St_Johns",
            "Antarctica/Casey",
            "Australia/Lord_Howe",
            "Pacific/Apia");

    private static final Duration[] PERIODS = {
        Duration.ofMillis(1),
        Duration.ofMillis(7),
        Duration.ofMillis(500),
        Duration.ofSeconds(1),
        Duration.ofSeconds(3),
        Duration.ofMinutes(1),
        Duration.ofMinutes(7),
        Duration.ofHours(1),
        Duration.ofDays(1),
        Duration.ofDays(365)
    };

    private static final List<CalendarPeriod> CALENDAR = List.of(CalendarPeriod.values());

    private final Random random;

    RandomLimits(Random random) {
        this.random = random;
    }

    /** A limit of any kind, rarely {@code unlimited} or {@code blocked}. */
    Limit any() {
        return random.nextInt(KINDS.size()) == 0 ? of(CONCURRENCY) : anyRate();
    }

    /** A limit of any kind that uses permits up, rarely {@code unlimited} or {@code blocked}. */
    Limit anyRate() {
        if (random.nextInt(40) == 0) {
            return random.nextBoolean() ? Limit.unlimited() : Limit.blocked();
        }
        return of(RATES.get(random.nextInt(RATES.size())));
    }

    /** A limit of that kind, sometimes with a lockout. */
    Limit of(String kind) {
        Limit limit = make(kind);
        return random.nextInt(4) == 0 && !limit.algorithm().holds() ? locking(limit) : limit;
    }

    /** The kind of a limit, with or without a lockout; the name of the algorithm if it counts nothing. */
    static String kindOf(Limit limit) {
        Limit rule = rule(limit);
        if (rule instanceof TokenBucket bucket) {
            return bucket.refill() == Refill.INTERVAL ? "token-bucket interval" : "token-bucket";
        } else if (rule instanceof FixedWindow window) {
            return window.fromFirst() ? "from-first" : "fixed-window";
        }
        return rule instanceof CalendarWindow ? "calendar" : rule.algorithm().toString();
    }

    static Limit rule(Limit limit) {
        return limit instanceof Lockout lockout ? lockout.limit() : limit;
    }

    private Limit locking(Limit limit) {
        Lockout locking = limit.lockout(PERIODS[random.nextInt(PERIODS.length)]);
        // Longer lockouts than a year cannot double so often.
        int most = locking.duration().toDays() >= 365 ? 6 : Lockout.MAX_ESCALATE;
        return random.nextBoolean() ? locking : locking.escalate(random.nextInt(1, most + 1));
    }

    /** Another limit of the same kind, often with the same window or period. */
    Limit like(Limit limit) {
        Limit rule = rule(limit);
        Limit like = switch (rule.algorithm()) {
            case TOKEN_BUCKET -> {
                TokenBucket bucket = (TokenBucket) rule;
                yield make(
                        bucket.refill() == Refill.INTERVAL ? "token-bucket interval" : "token-bucket", bucket.period());
            }
            case LEAKY_BUCKET -> make("leaky-bucket", ((LeakyBucket) rule).period());
            case FIXED_WINDOW -> {
                if (rule instanceof CalendarWindow window) {
                    yield random.nextInt(3) == 0
                            ? make("calendar")
                            : Limit.calendarWindow(permits(), window.calendar(), window.zone());
                }
                FixedWindow window = (FixedWindow) rule;
                yield make(window.fromFirst() ? "from-first" : "fixed-window", window.window());
            }
            case SLIDING_LOG -> make("sliding-log", ((SlidingLog) rule).window());
            case SLIDING_COUNTER -> {
                SlidingCounter counter = (SlidingCounter) rule;
                yield Limit.slidingCounter(permits(), counter.window()).slots(counter.slots());
            }
            case WARM_UP -> make("warm-up", ((WarmUp) rule).period());
            case CONCURRENCY -> make(CONCURRENCY, ((Concurrency) rule).hold());
            case UNLIMITED, BLOCKED, ADAPTIVE_CONCURRENCY -> any();
        };
        boolean locks = limit instanceof Lockout ? random.nextInt(4) > 0 : random.nextInt(8) == 0;
        return locks
                        && !like.algorithm().holds()
                        && like.capacity() > 0
                        && like.capacity() < Long.MAX_VALUE
                        && !(like instanceof Lockout)
                ? locking(like)
                : like;
    }

    private Limit make(String kind) {
        return make(kind, PERIODS[random.nextInt(PERIODS.length)]);
    }

    private Limit make(String kind, Duration usual) {
        while (true) {
            long permits = permits();
            Duration period = random.nextInt(3) > 0 ? usual : PERIODS[random.nextInt(PERIODS.length)];
            try {
                return switch (kind) {
                    case "token-bucket" -> Limit.tokenBucket(permits, period).burst(permits());
                    case "token-bucket interval" ->
                        Limit.tokenBucket(permits, period).burst(permits()).refill(Refill.INTERVAL);
                    case "leaky-bucket" -> Limit.leakyBucket(permits, period).capacity(permits());
                    case "fixed-window" -> Limit.fixedWindow(permits, period);
                    case "from-first" -> Limit.fixedWindow(permits, period).fromFirst(true);
                    case "sliding-log" -> Limit.slidingLog(Math.min(permits, 1000), period);
                    case "calendar" ->
                        Limit.calendarWindow(
                                permits,
                                CALENDAR.get(random.nextInt(CALENDAR.size())),
                                ZoneId.of(ZONES.get(random.nextInt(ZONES.size()))));
                    case CONCURRENCY ->
                        Limit.concurrency(Math.min(permits, 100)).hold(period);
                    case "warm-up" -> Limit.warmUp(permits, period, PERIODS[random.nextInt(PERIODS.length)]);
                    default -> Limit.slidingCounter(permits, period).slots(slots(period));
                };
            } catch (IllegalArgumentException refused) {
                // The limit would refill too slowly. Try other numbers.
            }
        }
    }

    private long permits() {
        return switch (random.nextInt(6)) {
            case 0 -> 1;
            case 1, 2 -> random.nextLong(2, 12);
            case 3 -> random.nextLong(12, 1000);
            case 4 -> 1000 * random.nextLong(1, 1000);
            default -> random.nextLong(1, 1_000_000_001);
        };
    }

    private long slots(Duration period) {
        long[] choices = {1, 2, 4, 5, 10, 50, 100};
        long slots = choices[random.nextInt(choices.length)];
        return period.toNanos() / 1000 % slots == 0 ? slots : 1;
    }
}
