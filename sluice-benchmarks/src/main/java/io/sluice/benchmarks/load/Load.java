package io.sluice.benchmarks.load;

import java.time.Duration;

/** Calls that follow each other as fast as they are answered. */
public interface Load {
    /**
     * Calls for so long.
     *
     * @throws IllegalStateException if a call failed; then nothing was measured
     */
    Sample run(Duration time) throws InterruptedException;
}
