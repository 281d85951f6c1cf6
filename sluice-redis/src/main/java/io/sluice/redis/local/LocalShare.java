package io.sluice.redis.local;

import io.sluice.CalendarWindow;
import io.sluice.Concurrency;
import io.sluice.FixedWindow;
import io.sluice.LeakyBucket;
import io.sluice.Limit;
import io.sluice.Lockout;
import io.sluice.SlidingCounter;
import io.sluice.SlidingLog;
import io.sluice.TokenBucket;
import io.sluice.WarmUp;
import java.time.Duration;

/*
 * The share of a bucket has the same permits, in a period that is longer by the number of processes. So its rate is exactly
 * the share. Its capacity is divided and rounded down. The permits of a window are divided and rounded down. If there are
 * fewer permits than processes, each process has one permit in a window that is longer accordingly. On average, that is
 * still its share.
 */
/** Computes the share of a limit that one of several processes enforces. */
final class LocalShare {
    private static final Duration LONGEST = Duration.ofMillis((1L << 50) / 1000);

    private LocalShare() {}

    static Limit of(Limit limit, int processes) {
        if (processes <= 1 && !(limit instanceof Concurrency)) {
            return limit;
        }
        if (limit instanceof Lockout lockout) {
            return new Lockout(of(lockout.limit(), processes), lockout.duration(), lockout.escalate());
        } else if (limit instanceof TokenBucket bucket) {
            return new TokenBucket(
                    bucket.permits(),
                    longer(bucket.period(), processes),
                    divided(bucket.burst(), processes),
                    bucket.refill());
        } else if (limit instanceof LeakyBucket bucket) {
            return new LeakyBucket(
                    bucket.permits(), longer(bucket.period(), processes), divided(bucket.capacity(), processes));
        } else if (limit instanceof FixedWindow window) {
            return new FixedWindow(
                    divided(window.permits(), processes),
                    window(window.window(), window.permits(), processes),
                    window.fromFirst());
        } else if (limit instanceof CalendarWindow window) {
            // Its windows cannot be longer, so a process has one permit at least.
            return window.permits(divided(window.permits(), processes));
        } else if (limit instanceof WarmUp warmUp) {
            Duration longer = longer(warmUp.period(), processes);
            return longer.equals(LONGEST) ? limit : new WarmUp(warmUp.permits(), longer, warmUp.over());
        } else if (limit instanceof SlidingLog log) {
            return new SlidingLog(divided(log.permits(), processes), window(log.window(), log.permits(), processes));
        } else if (limit instanceof Concurrency) {
            // What is held is not used up: LocalHolds decides.
            return Limit.unlimited();
        } else if (limit instanceof SlidingCounter counter) {
            Duration window = window(counter.window(), counter.permits(), processes);
            boolean divides = window.toMillis() * 1000 % counter.slots() == 0;
            return new SlidingCounter(divided(counter.permits(), processes), window, divides ? counter.slots() : 10);
        }
        return limit;
    }

    private static long divided(long permits, int processes) {
        return Math.max(1, permits / processes);
    }

    private static Duration window(Duration window, long permits, int processes) {
        if (permits >= processes) {
            return window;
        }
        // One permit in the time in which the limit gives as many permits as there are processes.
        long millis = Math.min(LONGEST.toMillis() / processes, window.toMillis());
        return Duration.ofMillis(-Math.floorDiv(-millis * processes, permits));
    }

    private static Duration longer(Duration period, int processes) {
        Duration longer = period.multipliedBy(processes);
        return longer.compareTo(LONGEST) > 0 ? LONGEST : longer;
    }
}
