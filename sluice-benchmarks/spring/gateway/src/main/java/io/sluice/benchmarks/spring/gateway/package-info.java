/** The gateway. Its routes are settings of the benchmark. */
@NullMarked
package io.sluice.benchmarks.spring.gateway;

import org.jspecify.annotations.NullMarked;
