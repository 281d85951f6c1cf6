/**
 * Test support for rate limiting, for users and for the other modules. {@link io.sluice.testkit.ManualTime} is a clock that
 * a test moves; {@link io.sluice.testkit.ReferenceModel} gives the exact decision that any store must give; {@link
 * io.sluice.testkit.StoreContract} tests a store; {@link io.sluice.testkit.Vectors} are recorded traces with their
 * decisions; {@link io.sluice.testkit.Eventually} waits for other threads and processes. The model shares no arithmetic with
 * the stores that it checks.
 */
@NullMarked
package io.sluice.testkit;

import org.jspecify.annotations.NullMarked;
