/** Starts an application of {@code bench spring}. Every application uses it. */
@NullMarked
package io.sluice.benchmarks.spring.launch;

import org.jspecify.annotations.NullMarked;
