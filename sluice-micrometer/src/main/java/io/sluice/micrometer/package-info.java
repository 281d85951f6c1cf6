/**
 * Meters for Micrometer, each a {@code MeterBinder}: {@link io.sluice.micrometer.LimiterMetrics} for limiters, {@link
 * io.sluice.micrometer.StoreMetrics} and {@link io.sluice.micrometer.MemoryStoreMetrics} for stores, {@link
 * io.sluice.micrometer.PolicyMetrics} for policies. Only the last needs {@code sluice-policy}. No tag has a value of a
 * request or a key.
 */
@NullMarked
package io.sluice.micrometer;

import org.jspecify.annotations.NullMarked;
