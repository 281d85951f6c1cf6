package io.sluice.server.simulate.chart;

import io.sluice.FixedWindow;
import io.sluice.LeakyBucket;
import io.sluice.Limit;
import io.sluice.Lockout;
import io.sluice.SlidingCounter;
import io.sluice.SlidingLog;
import io.sluice.TokenBucket;
import io.sluice.WarmUp;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/**
 * What a limit promises by its rate: so many permits in a window.
 *
 * @param micros the length of the window
 */
public record LimitWindow(long permits, long micros) {
    /** The window of a limit; null for limits without one, and for windows of the calendar, whose length varies. */
    static @Nullable LimitWindow of(Limit limit) {
        if (limit instanceof Lockout lockout) {
            return of(lockout.limit());
        } else if (limit instanceof TokenBucket bucket) {
            return of(bucket.permits(), bucket.period());
        } else if (limit instanceof LeakyBucket bucket) {
            return of(bucket.permits(), bucket.period());
        } else if (limit instanceof WarmUp warmUp) {
            return of(warmUp.permits(), warmUp.period());
        } else if (limit instanceof FixedWindow window) {
            return of(window.permits(), window.window());
        } else if (limit instanceof SlidingLog log) {
            return of(log.permits(), log.window());
        } else if (limit instanceof SlidingCounter counter) {
            return of(counter.permits(), counter.window());
        }
        return null;
    }

    private static LimitWindow of(long permits, Duration length) {
        return new LimitWindow(permits, length.dividedBy(ChronoUnit.MICROS.getDuration()));
    }
}
