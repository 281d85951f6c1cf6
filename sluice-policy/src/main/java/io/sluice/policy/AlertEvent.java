package io.sluice.policy;

import java.time.Instant;

/**
 * An alert began or ended.
 *
 * @param alert which
 * @param firing true if what it watches for is so now, false if it no longer is, or is no longer watched
 * @param counts what was counted over the alert's time, when this was found
 * @param at when this was found
 */
public record AlertEvent(Alert alert, boolean firing, Counts counts, Instant at) {}
