/**
 * {@code bench redis}: the cost of a decision on one shared Redis, beside other libraries. Only
 * {@link io.sluice.benchmarks.Main} uses it.
 */
@NullMarked
package io.sluice.benchmarks.redis;

import org.jspecify.annotations.NullMarked;
