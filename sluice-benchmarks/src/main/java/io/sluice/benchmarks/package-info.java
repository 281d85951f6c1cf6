/**
 * The benchmarks of Sluice beside other libraries. {@link io.sluice.benchmarks.Main} is the entry point: it registers the
 * commands, one package each. No other package may use this one.
 */
@NullMarked
package io.sluice.benchmarks;

import org.jspecify.annotations.NullMarked;
