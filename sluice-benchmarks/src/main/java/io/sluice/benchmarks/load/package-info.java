/**
 * Load tests that run in turns, and the tables of their results. {@code redis} and {@code server} use it.
 */
@NullMarked
package io.sluice.benchmarks.load;

import org.jspecify.annotations.NullMarked;
