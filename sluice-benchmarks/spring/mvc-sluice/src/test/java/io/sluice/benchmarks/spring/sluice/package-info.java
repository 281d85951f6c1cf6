@NullMarked
package io.sluice.benchmarks.spring.sluice;

import org.jspecify.annotations.NullMarked;
