/**
 * Limits that adapt: to load that is measured, and to the number of requests in flight that a process can carry. The rules are
 * plain state machines without threads and clocks; {@link io.sluice.adapt.Adaptation} runs one around a limiter.
 */
@NullMarked
package io.sluice.adapt;

import org.jspecify.annotations.NullMarked;
