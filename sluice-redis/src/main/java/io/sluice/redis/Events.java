package io.sluice.redis;

import io.sluice.Limit;
import io.sluice.StoreListener;
import io.sluice.redis.Call.Verb;
import java.util.List;
import java.util.Locale;

/** Tells a store's listener what happens. */
final class Events {
    private final StoreListener listener;

    Events(StoreListener listener) {
        this.listener = listener;
    }

    void called(Batch batch, long nanos) {
        tell(() -> listener.called(batch.size(), nanos));
    }

    void failed(Batch batch, Throwable cause) {
        tell(() -> listener.failed(batch.size(), cause));
    }

    void degraded(RedisLimiter limiter) {
        tell(() -> listener.degraded(limiter.name(), limiter.fallback().how()));
    }

    void degradedBegan(String reason) {
        tell(() -> listener.degradedBegan(reason));
    }

    void degradedEnded() {
        tell(listener::degradedEnded);
    }

    void lost(RedisLimiter limiter, Verb verb) {
        tell(() -> listener.lost(limiter.name(), verb.name().toLowerCase(Locale.ROOT)));
    }

    void denialRemembered(RedisLimiter limiter) {
        tell(() -> listener.denialRemembered(limiter.name()));
    }

    /** The limits in force are known, and may not be those that this process has brought. */
    void following(RedisLimiter limiter, List<Limit> brought, List<Limit> inForce) {
        if (!brought.equals(inForce)) {
            tell(() -> listener.limitsDiffer(limiter.name(), brought, inForce));
        }
    }

    private static void tell(Runnable event) {
        try {
            event.run();
        } catch (Throwable ignored) {
            // A listener must not be able to break a decision.
        }
    }
}
