package io.sluice;

import java.util.concurrent.CompletionStage;

/** What can be {@linkplain Charge charged}: a {@link RateLimiter}, or a {@link CallLimiter}, of a store. */
public interface Chargeable {
    /** The name by which the store knows it. */
    String name();

    /** Gives permits back without blocking: undoes the newest use first, never beyond fresh. */
    CompletionStage<Void> refundAsync(String key, long permits);
}
