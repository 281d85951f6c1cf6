/**
 * {@code bench local}: the cost of a decision in one process. A JMH class for each case has one method for each library.
 * Only {@link io.sluice.benchmarks.Main} uses it.
 */
@NullMarked
package io.sluice.benchmarks.local;

import org.jspecify.annotations.NullMarked;
