/**
 * {@code bench adaptive}: a closed loop on virtual time. A simulated server, open-loop traffic, and limits that adapt, beside those of
 * other libraries. The same seed gives the same result.
 */
@NullMarked
package io.sluice.benchmarks.adaptive;

import org.jspecify.annotations.NullMarked;
