package io.sluice.policy;

/**
 * Receives an event when an alert starts to fire, and one when it stops. Exceptions of a listener are logged; they
 * affect no other listener.
 *
 * <p>Each listener has its own thread and gets one event after the other, so it may block. Up to 100 events wait for a
 * slow listener. Then the oldest events are dropped, and the log says how many.
 */
@FunctionalInterface
public interface AlertListener {
    /** An alert has started or stopped to fire, see {@link AlertEvent#firing()}. */
    void changed(AlertEvent event);
}
