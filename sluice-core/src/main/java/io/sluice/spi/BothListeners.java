package io.sluice.spi;

import io.sluice.Decision;
import io.sluice.LimiterListener;
import java.time.Duration;

/** Two listeners of one limiter. The second one hears even if the first one throws. */
record BothListeners(LimiterListener first, LimiterListener second) implements LimiterListener {
    @Override
    public void decided(String limiter, String key, long permits, Decision decision) {
        try {
            first.decided(limiter, key, permits, decision);
        } finally {
            second.decided(limiter, key, permits, decision);
        }
    }

    @Override
    public void waited(String limiter, String key, long permits, boolean acquired, Duration waited) {
        try {
            first.waited(limiter, key, permits, acquired, waited);
        } finally {
            second.waited(limiter, key, permits, acquired, waited);
        }
    }
}
