package io.sluice.spi;

import io.sluice.Decision;
import io.sluice.Gate;
import io.sluice.Limit;
import io.sluice.LimiterListener;
import io.sluice.LimiterOptions;
import io.sluice.Permit;
import io.sluice.RateLimiter;
import io.sluice.Reservation;
import io.sluice.TimeSource;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/*
 * The listener is a wrapper around the limiter of a store, not a field of it. So a limiter without a listener does not even
 * look for one, and both stores report alike.
 */
/** A limiter that reports its calls to a {@link LimiterListener}. Thread-safe. */
public final class ListenedLimiter implements ReportingLimiter, Listened {
    private final ReportingLimiter limiter;
    private final LimiterListener listener;

    ListenedLimiter(ReportingLimiter limiter, LimiterListener listener) {
        this.limiter = limiter;
        this.listener = Objects.requireNonNull(listener, "listener");
    }

    /** The limiter with the listener of the options. */
    public static RateLimiter of(ReportingLimiter limiter, LimiterOptions options) {
        return options.listener() == LimiterListener.NONE ? limiter : new ListenedLimiter(limiter, options.listener());
    }

    /** The limiter that decides, without listeners. */
    public static RateLimiter decider(RateLimiter limiter) {
        return limiter instanceof ListenedLimiter listened ? listened.limiter : limiter;
    }

    /** A gate whose calls are reported. */
    private record ListenedGate(RateLimiter limiter, String key) implements Gate {
        ListenedGate {
            Objects.requireNonNull(key, "key");
        }
    }

    @Override
    public RateLimiter withListener(LimiterListener more) {
        return new ListenedLimiter(limiter, new BothListeners(listener, Objects.requireNonNull(more, "listener")));
    }

    @Override
    public ReportingLimiter decider() {
        return limiter;
    }

    @Override
    public LimiterListener listener() {
        return listener;
    }

    @Override
    public String name() {
        return limiter.name();
    }

    @Override
    public List<Limit> limits() {
        return limiter.limits();
    }

    @Override
    public boolean limitsConcurrency() {
        return limiter.limitsConcurrency();
    }

    @Override
    public Executor executor() {
        return limiter.executor();
    }

    @Override
    public TimeSource time() {
        return limiter.time();
    }

    @Override
    public Gate forKey(String key) {
        return new ListenedGate(this, key);
    }

    // --- requests that do not wait ---

    private Report to(String key, Report further) {
        return (permits, decision) -> {
            decided(key, permits, decision);
            further.decided(permits, decision);
        };
    }

    private Report to(String key) {
        return (permits, decision) -> decided(key, permits, decision);
    }

    @Override
    public boolean tryAcquire(String key, long permits) {
        return limiter.tryAcquire(key, permits, to(key));
    }

    @Override
    public boolean tryAcquire(String key, long permits, Report report) {
        return limiter.tryAcquire(key, permits, to(key, report));
    }

    @Override
    public CompletionStage<Boolean> tryAcquireAsync(String key, long permits) {
        return limiter.tryAcquireAsync(key, permits, to(key));
    }

    @Override
    public CompletionStage<Boolean> tryAcquireAsync(String key, long permits, Report report) {
        return limiter.tryAcquireAsync(key, permits, to(key, report));
    }

    @Override
    public long acquireUpTo(String key, long permits) {
        return limiter.acquireUpTo(key, permits, to(key));
    }

    @Override
    public long acquireUpTo(String key, long permits, Report report) {
        return limiter.acquireUpTo(key, permits, to(key, report));
    }

    @Override
    public CompletionStage<Long> acquireUpToAsync(String key, long permits) {
        return limiter.acquireUpToAsync(key, permits, to(key));
    }

    @Override
    public CompletionStage<Long> acquireUpToAsync(String key, long permits, Report report) {
        return limiter.acquireUpToAsync(key, permits, to(key, report));
    }

    @Override
    public Decision check(String key, long permits) {
        Decision decision = limiter.check(key, permits);
        decided(key, permits, decision);
        return decision;
    }

    @Override
    public CompletionStage<Decision> checkAsync(String key, long permits) {
        // The same stage is returned, because cancelling it gives the permits back.
        CompletionStage<Decision> stage = limiter.checkAsync(key, permits);
        stage.whenComplete((decision, failure) -> {
            if (failure == null) {
                decided(key, permits, decision);
            }
        });
        return stage;
    }

    @Override
    public Decision peek(String key, long permits) {
        return limiter.peek(key, permits);
    }

    @Override
    public CompletionStage<Decision> peekAsync(String key, long permits) {
        return limiter.peekAsync(key, permits);
    }

    @Override
    public Optional<Permit> tryEnter(String key) {
        return limiter.tryEnter(key, to(key));
    }

    @Override
    public Optional<Permit> tryEnter(String key, Report report) {
        return limiter.tryEnter(key, to(key, report));
    }

    @Override
    public CompletionStage<Optional<Permit>> tryEnterAsync(String key) {
        return limiter.tryEnterAsync(key, to(key));
    }

    @Override
    public CompletionStage<Optional<Permit>> tryEnterAsync(String key, Report report) {
        return limiter.tryEnterAsync(key, to(key, report));
    }

    // --- requests that may wait ---

    @Override
    public void acquire(String key, long permits) throws InterruptedException {
        long begin = time().micros();
        boolean acquired = false;
        try {
            limiter.acquire(key, permits);
            acquired = true;
        } finally {
            ended(key, permits, acquired, begin);
        }
    }

    @Override
    public boolean tryAcquire(String key, long permits, Duration timeout) throws InterruptedException {
        long begin = time().micros();
        boolean acquired = false;
        try {
            acquired = limiter.tryAcquire(key, permits, timeout);
            return acquired;
        } finally {
            ended(key, permits, acquired, begin);
        }
    }

    @Override
    public CompletionStage<Void> acquireAsync(String key, long permits) {
        long begin = time().micros();
        CompletionStage<Void> stage = limiter.acquireAsync(key, permits);
        stage.whenComplete((nothing, failure) -> ended(key, permits, failure == null, begin));
        return stage;
    }

    @Override
    public CompletionStage<Boolean> tryAcquireAsync(String key, long permits, Duration timeout) {
        long begin = time().micros();
        CompletionStage<Boolean> stage = limiter.tryAcquireAsync(key, permits, timeout);
        stage.whenComplete((acquired, failure) -> ended(key, permits, failure == null && acquired, begin));
        return stage;
    }

    @Override
    public Permit enter(String key) throws InterruptedException {
        long begin = time().micros();
        boolean entered = false;
        try {
            Permit permit = limiter.enter(key);
            entered = true;
            return permit;
        } finally {
            ended(key, 1, entered, begin);
        }
    }

    @Override
    public Optional<Permit> tryEnter(String key, Duration timeout) throws InterruptedException {
        long begin = time().micros();
        Optional<Permit> permit = Optional.empty();
        try {
            permit = limiter.tryEnter(key, timeout);
            return permit;
        } finally {
            ended(key, 1, permit.isPresent(), begin);
        }
    }

    @Override
    public CompletionStage<Permit> enterAsync(String key) {
        long begin = time().micros();
        CompletionStage<Permit> stage = limiter.enterAsync(key);
        stage.whenComplete((permit, failure) -> ended(key, 1, failure == null, begin));
        return stage;
    }

    @Override
    public CompletionStage<Optional<Permit>> tryEnterAsync(String key, Duration timeout) {
        long begin = time().micros();
        CompletionStage<Optional<Permit>> stage = limiter.tryEnterAsync(key, timeout);
        stage.whenComplete((permit, failure) -> ended(key, 1, failure == null && permit.isPresent(), begin));
        return stage;
    }

    /** Reports the end of a wait. A call with wrong arguments has not begun to wait. */
    private void ended(@Nullable String key, long permits, boolean acquired, long beginMicros) {
        if (key != null && permits >= 0) {
            long micros = Math.max(0, time().micros() - beginMicros);
            waited(key, permits, acquired, Duration.ofNanos(micros * 1000));
        }
    }

    @Override
    public Reservation reserve(String key, long permits, Duration maxDelay) {
        Reservation reservation = limiter.reserve(key, permits, maxDelay);
        reserved(key, permits, reservation);
        return reservation;
    }

    @Override
    public CompletionStage<Reservation> reserveAsync(String key, long permits, Duration maxDelay) {
        CompletionStage<Reservation> stage = limiter.reserveAsync(key, permits, maxDelay);
        stage.whenComplete((reservation, failure) -> {
            if (failure == null) {
                reserved(key, permits, reservation);
            }
        });
        return stage;
    }

    private void reserved(String key, long permits, Reservation reservation) {
        boolean granted = reservation.granted();
        waited(key, permits, granted, granted ? reservation.delay() : Duration.ZERO);
    }

    // --- changes, which are not reported ---

    @Override
    public void refund(String key, long permits) {
        limiter.refund(key, permits);
    }

    @Override
    public CompletionStage<Void> refundAsync(String key, long permits) {
        return limiter.refundAsync(key, permits);
    }

    @Override
    public void penalize(String key, long permits) {
        limiter.penalize(key, permits);
    }

    @Override
    public CompletionStage<Void> penalizeAsync(String key, long permits) {
        return limiter.penalizeAsync(key, permits);
    }

    @Override
    public void pause(String key, Duration duration) {
        limiter.pause(key, duration);
    }

    @Override
    public CompletionStage<Void> pauseAsync(String key, Duration duration) {
        return limiter.pauseAsync(key, duration);
    }

    @Override
    public void reset(String key) {
        limiter.reset(key);
    }

    @Override
    public CompletionStage<Void> resetAsync(String key) {
        return limiter.resetAsync(key);
    }

    @Override
    public void update(Limit limit, Limit... more) {
        limiter.update(limit, more);
    }

    @Override
    public CompletionStage<Void> updateAsync(Limit limit, Limit... more) {
        return limiter.updateAsync(limit, more);
    }

    @Override
    public void close() {
        limiter.close();
    }
}
