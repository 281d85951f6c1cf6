package io.sluice.benchmarks.redis;

import java.time.Duration;

/** Calls that follow each other as fast as they are answered. */
interface Load {
    /**
     * Calls for so long.
     *
     * @throws IllegalStateException if a call failed; then nothing was measured
     */
    Sample run(Duration time) throws InterruptedException;
}
