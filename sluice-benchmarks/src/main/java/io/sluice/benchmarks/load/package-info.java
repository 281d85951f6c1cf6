/** Loads that run against each other, in turns, and how what came of them is told. */
@NullMarked
package io.sluice.benchmarks.load;

import org.jspecify.annotations.NullMarked;
