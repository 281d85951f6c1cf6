package io.sluice.benchmarks;

import org.jspecify.annotations.Nullable;

/**
 * What was measured of one library in one case.
 *
 * @param who the library
 * @param ns nanoseconds for one operation; null if the case is not about time
 * @param bytes bytes allocated by one operation, or kept for one key
 */
record Figure(String who, @Nullable Double ns, @Nullable Double bytes) {}
