package io.sluice;

import java.util.concurrent.CompletionStage;

/** A limiter that can be {@linkplain Charge charged}: a {@link RateLimiter} or a {@link CallLimiter} of a store. */
public interface Chargeable {
    /** The name in the store. */
    String name();

    /** Gives permits back without blocking. Undoes the newest use first, and at most what is in use. */
    CompletionStage<Void> refundAsync(String key, long permits);
}
