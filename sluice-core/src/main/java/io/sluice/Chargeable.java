package io.sluice;

/** What can be {@linkplain Charge charged}: a {@link RateLimiter}, or a {@link CallLimiter}, of a store. */
public interface Chargeable {
    /** The name by which the store knows it. */
    String name();
}
