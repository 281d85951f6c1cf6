/**
 * What all benchmarks share: progress, targets, child processes, exit codes. Every other package may use it.
 */
@NullMarked
package io.sluice.benchmarks.common;

import org.jspecify.annotations.NullMarked;
