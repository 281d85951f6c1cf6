package io.sluice.policy.engine;

import io.sluice.CallLimiter;
import io.sluice.policy.TemporaryOverride;

/**
 * A temporary override with the limiter that enforces it.
 *
 * @param calls counts the permits, if the limit counts; the limit comes with each charge
 * @param key the key of the override in that limiter
 */
record TemporaryLimit(TemporaryOverride override, CallLimiter calls, String key) {}
