package io.sluice.redis.call;

import io.sluice.Limit;
import io.sluice.OnFailure;
import io.sluice.StoreListener;
import io.sluice.redis.script.Verb;
import java.util.List;
import java.util.Locale;

/** Calls the listener of a store. */
public final class Events {
    private final StoreListener listener;

    public Events(StoreListener listener) {
        this.listener = listener;
    }

    void called(int requests, long nanos) {
        notifyListener(() -> listener.called(requests, nanos));
    }

    void failed(int requests, Throwable cause) {
        notifyListener(() -> listener.failed(requests, cause));
    }

    void degraded(String limiter, OnFailure answer) {
        notifyListener(() -> listener.degraded(limiter, answer));
    }

    void degradedBegan(String reason) {
        notifyListener(() -> listener.degradedBegan(reason));
    }

    void degradedEnded() {
        notifyListener(listener::degradedEnded);
    }

    void lost(String limiter, Verb verb) {
        notifyListener(() -> listener.lost(limiter, verb.name().toLowerCase(Locale.ROOT)));
    }

    void denialRemembered(String limiter) {
        notifyListener(() -> listener.denialRemembered(limiter));
    }

    /** Reports the limits in force if they are not those that this process has configured. */
    public void following(String limiter, List<Limit> configured, List<Limit> inForce) {
        if (!configured.equals(inForce)) {
            notifyListener(() -> listener.limitsDiffer(limiter, configured, inForce));
        }
    }

    private static void notifyListener(Runnable event) {
        try {
            event.run();
        } catch (Throwable ignored) {
            // A failure of the listener must not break a decision.
        }
    }
}
