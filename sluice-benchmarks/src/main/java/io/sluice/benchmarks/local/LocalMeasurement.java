package io.sluice.benchmarks.local;

import org.jspecify.annotations.Nullable;

/**
 * The result of one library in one case.
 *
 * @param who the library
 * @param ns nanoseconds for each operation; null if the case does not measure time
 * @param bytes bytes allocated by each operation, or kept for each key
 */
record LocalMeasurement(
        String who, @Nullable Double ns, @Nullable Double bytes) {}
