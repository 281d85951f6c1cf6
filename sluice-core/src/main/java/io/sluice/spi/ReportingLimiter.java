package io.sluice.spi;

import io.sluice.Decision;
import io.sluice.LimiterListener;
import io.sluice.Permit;
import io.sluice.RateLimitedException;
import io.sluice.RateLimiter;
import io.sluice.TimeSource;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** A limiter that can tell the whole decision where its caller gets only a boolean or a number. Stores implement it. */
public interface ReportingLimiter extends RateLimiter {
    /** Receives the decision on a request, on the thread that gets the answer. It must not throw. */
    @FunctionalInterface
    interface Report {
        /** A report that nobody wants. */
        Report NONE = (permits, decision) -> {};

        /** A request for that many permits was decided. */
        void decided(long permits, Decision decision);
    }

    /** {@link #tryAcquire(String, long)} with a report. Permits that need a delay are reported as a denial. */
    boolean tryAcquire(String key, long permits, Report report);

    /** {@link #tryAcquireAsync(String, long)} with a report. A call that was cancelled is not reported. */
    CompletionStage<Boolean> tryAcquireAsync(String key, long permits, Report report);

    /** {@link #acquireUpTo(String, long)} with a report on as many permits as were free, but at least 1. */
    long acquireUpTo(String key, long permits, Report report);

    /** {@link #acquireUpToAsync(String, long)} with a report. A call that was cancelled is not reported. */
    CompletionStage<Long> acquireUpToAsync(String key, long permits, Report report);

    /** {@link #tryEnter(String)} with a report. A permit that needs a delay is reported as a denial. */
    Optional<Permit> tryEnter(String key, Report report);

    /** {@link #tryEnterAsync(String)} with a report. A call that was cancelled is not reported. */
    CompletionStage<Optional<Permit>> tryEnterAsync(String key, Report report);

    /** The clock by which callers wait. */
    TimeSource time();

    @Override
    default RateLimiter withListener(LimiterListener listener) {
        return new ListenedLimiter(this, listener);
    }

    @Override
    default <T extends @Nullable Object> T call(String key, long permits, Callable<T> task) throws Exception {
        Decision[] denial = new Decision[1];
        if (permits == 1 && limitsConcurrency()) {
            Optional<Permit> entered = tryEnter(key, (asked, decision) -> denial[0] = decision);
            Permit permit = entered.orElseThrow(() -> new RateLimitedException(name(), key, 1, denial[0]));
            try {
                return task.call();
            } finally {
                permit.close();
            }
        }
        if (!tryAcquire(key, permits, (asked, decision) -> denial[0] = decision)) {
            throw new RateLimitedException(name(), key, permits, denial[0]);
        }
        return task.call();
    }
}
