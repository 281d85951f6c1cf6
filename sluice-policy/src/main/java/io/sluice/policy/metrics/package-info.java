/**
 * Counters of decisions, and meters for Micrometer. Users may use it; the engine counts and alerts read the counters.
 */
@NullMarked
package io.sluice.policy.metrics;

import org.jspecify.annotations.NullMarked;
