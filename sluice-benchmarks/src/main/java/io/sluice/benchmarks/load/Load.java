package io.sluice.benchmarks.load;

import java.time.Duration;

/** A load: calls that follow each other as fast as they are answered. */
public interface Load {
    /**
     * Runs the load for a time.
     *
     * @throws IllegalStateException if a call failed; then there is no result
     */
    Sample run(Duration time) throws InterruptedException;
}
