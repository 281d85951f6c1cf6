package io.sluice.spi;

import io.sluice.Chargeable;
import io.sluice.Decision;
import io.sluice.LimiterListener;
import java.time.Duration;

/** A limiter with a listener, and the limiter that decides for it. */
sealed interface Listened extends Chargeable permits ListenedLimiter, ListenedCallLimiter {
    /** The limiter that decides. */
    Chargeable decider();

    LimiterListener listener();

    @Override
    default String name() {
        return decider().name();
    }

    /** Calls the listener. Its exceptions are ignored: they must not break a decision or lose permits. */
    default void decided(String key, long permits, Decision decision) {
        try {
            listener().decided(name(), key, permits, decision);
        } catch (Throwable ignored) {
            // See above.
        }
    }

    /** Calls the listener. Its exceptions are ignored. */
    default void waited(String key, long permits, boolean acquired, Duration waited) {
        try {
            listener().waited(name(), key, permits, acquired, waited);
        } catch (Throwable ignored) {
            // As in decided.
        }
    }
}
