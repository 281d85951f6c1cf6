/**
 * What a decision costs, beside the other libraries, in one run. {@link io.sluice.benchmarks.Main} is the door. A JMH
 * class per case names the contestants as methods; what each library needs for a case stands in a class of its own.
 * What is measured on a Redis is in {@link io.sluice.benchmarks.redis}.
 */
@NullMarked
package io.sluice.benchmarks;

import org.jspecify.annotations.NullMarked;
