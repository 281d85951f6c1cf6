package io.sluice.policy;

import java.time.Instant;

/**
 * The start or end of a firing alert.
 *
 * @param alert the alert
 * @param firing true if the alert started to fire, false if it stopped or was removed
 * @param counts the counts over the alert's period at that time
 * @param at the time of the change
 */
public record AlertEvent(Alert alert, boolean firing, Counts counts, Instant at) {}
