/**
 * What to test rate limiting with: {@link io.sluice.testkit.ManualTime} stands still until it is moved, {@link
 * io.sluice.testkit.ReferenceModel} says exactly what any store must answer, and {@link io.sluice.testkit.Vectors} are
 * recorded traces with their decisions. The model shares no arithmetic with the stores that it judges.
 */
@NullMarked
package io.sluice.testkit;

import org.jspecify.annotations.NullMarked;
