package io.sluice.policy;

/**
 * Hears when alerts begin and end: each once. What it throws is logged and stops nobody.
 *
 * <p>Called on a thread of its own, one event after the other, so it may block. While it does, up to 100 events wait for
 * it; beyond that the oldest are dropped, and the log says how many.
 */
@FunctionalInterface
public interface AlertListener {
    /** An alert fires, or no longer does; {@link AlertEvent#firing()} says which. */
    void changed(AlertEvent event);
}
