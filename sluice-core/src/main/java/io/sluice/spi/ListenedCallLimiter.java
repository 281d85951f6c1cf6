package io.sluice.spi;

import io.sluice.CallLimiter;
import io.sluice.Decision;
import io.sluice.Limit;
import io.sluice.LimiterListener;
import java.util.Objects;
import java.util.concurrent.CompletionStage;

/** A call limiter that reports its calls to a {@link LimiterListener}. Thread-safe. */
public final class ListenedCallLimiter implements CallLimiter, Listened {
    private final CallLimiter limiter;
    private final LimiterListener listener;

    /** @param limiter the call limiter of a store, without a listener */
    public ListenedCallLimiter(CallLimiter limiter, LimiterListener listener) {
        this.limiter = limiter;
        this.listener = Objects.requireNonNull(listener, "listener");
    }

    @Override
    public CallLimiter withListener(LimiterListener more) {
        return new ListenedCallLimiter(limiter, new BothListeners(listener, Objects.requireNonNull(more, "listener")));
    }

    @Override
    public CallLimiter decider() {
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
    public Decision check(String key, long permits, Limit limit) {
        Decision decision = limiter.check(key, permits, limit);
        decided(key, permits, decision);
        return decision;
    }

    @Override
    public CompletionStage<Decision> checkAsync(String key, long permits, Limit limit) {
        // The same stage is returned, because cancelling it gives the permits back.
        CompletionStage<Decision> stage = limiter.checkAsync(key, permits, limit);
        stage.whenComplete((decision, failure) -> {
            if (failure == null) {
                decided(key, permits, decision);
            }
        });
        return stage;
    }

    @Override
    public Decision peek(String key, long permits, Limit limit) {
        return limiter.peek(key, permits, limit);
    }

    @Override
    public CompletionStage<Decision> peekAsync(String key, long permits, Limit limit) {
        return limiter.peekAsync(key, permits, limit);
    }

    @Override
    public void refund(String key, long permits) {
        limiter.refund(key, permits);
    }

    @Override
    public CompletionStage<Void> refundAsync(String key, long permits) {
        return limiter.refundAsync(key, permits);
    }

    @Override
    public void reset(String key) {
        limiter.reset(key);
    }

    @Override
    public CompletionStage<Void> resetAsync(String key) {
        return limiter.resetAsync(key);
    }
}
