package io.sluice.policy.engine;

import io.sluice.policy.PolicyListener;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;

/*
 * Events are queued while a version is put in force, and delivered afterwards. A request may wait for the new version;
 * it must not wait for the work of listeners, such as writing files.
 */

/** Delivers events to the policy listeners, in order. Thread-safe. */
final class PolicyEvents {
    private static final System.Logger LOG = System.getLogger("io.sluice.policy");

    private final List<PolicyListener> listeners;
    private final Queue<Consumer<PolicyListener>> queue = new ConcurrentLinkedQueue<>();
    private final Object deliveryLock = new Object();

    PolicyEvents(List<PolicyListener> listeners) {
        this.listeners = listeners;
    }

    void add(Consumer<PolicyListener> event) {
        queue.add(event);
    }

    /** Calls all listeners with all queued events. */
    void deliver() {
        synchronized (deliveryLock) {
            for (Consumer<PolicyListener> event = queue.poll(); event != null; event = queue.poll()) {
                for (PolicyListener listener : listeners) {
                    deliver(listener, event);
                }
            }
        }
    }

    private static void deliver(PolicyListener listener, Consumer<PolicyListener> event) {
        try {
            event.accept(listener);
        } catch (RuntimeException e) {
            LOG.log(Level.WARNING, "a policy listener failed", e);
        }
    }
}
