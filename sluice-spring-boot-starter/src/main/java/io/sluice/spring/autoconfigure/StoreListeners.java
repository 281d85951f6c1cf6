package io.sluice.spring.autoconfigure;

import io.sluice.Limit;
import io.sluice.OnFailure;
import io.sluice.StoreListener;
import java.util.List;

/** Passes the events of a store to several listeners. */
record StoreListeners(List<StoreListener> listeners) implements StoreListener {

    static StoreListener of(List<StoreListener> listeners) {
        return listeners.size() == 1 ? listeners.get(0) : new StoreListeners(listeners);
    }

    @Override
    public void called(int requests, long nanos) {
        listeners.forEach(listener -> listener.called(requests, nanos));
    }

    @Override
    public void failed(int requests, Throwable cause) {
        listeners.forEach(listener -> listener.failed(requests, cause));
    }

    @Override
    public void degraded(String limiter, OnFailure how) {
        listeners.forEach(listener -> listener.degraded(limiter, how));
    }

    @Override
    public void degradedBegan(String reason) {
        listeners.forEach(listener -> listener.degradedBegan(reason));
    }

    @Override
    public void degradedEnded() {
        listeners.forEach(StoreListener::degradedEnded);
    }

    @Override
    public void lost(String limiter, String verb) {
        listeners.forEach(listener -> listener.lost(limiter, verb));
    }

    @Override
    public void denialRemembered(String limiter) {
        listeners.forEach(listener -> listener.denialRemembered(limiter));
    }

    @Override
    public void limitsDiffer(String limiter, List<Limit> requested, List<Limit> inForce) {
        listeners.forEach(listener -> listener.limitsDiffer(limiter, requested, inForce));
    }
}
