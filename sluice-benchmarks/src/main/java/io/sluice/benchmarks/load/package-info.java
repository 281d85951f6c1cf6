/**
 * Load tests that run in turns, and the tables of their results. {@code redis}, {@code server} and {@code spring} use it.
 */
@NullMarked
package io.sluice.benchmarks.load;

import org.jspecify.annotations.NullMarked;
