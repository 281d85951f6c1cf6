package io.sluice.adapt;

import io.sluice.TimeSource;
import java.time.Duration;
import java.util.function.DoubleSupplier;

/** What a limit can follow. Any other {@link DoubleSupplier} is a signal too. */
public final class Signals {
    private Signals() {}

    /**
     * The share of the CPU time in use since the last reading, from 0 to 1: of the quota of the container if a control group (version
     * 1 or 2) sets one, else of all CPUs that the process may use. {@code NaN} for the first reading, and where neither is known.
     */
    public static DoubleSupplier cpu() {
        return cpu(TimeSource.system());
    }

    /** {@link #cpu()} on a clock. */
    public static DoubleSupplier cpu(TimeSource time) {
        return CpuSignal.of(CpuFiles.ofSystem(), time);
    }

    /**
     * A percentile of the latencies that the caller reports, as a share of a target.
     *
     * @param percentile such as 99
     */
    public static LatencySignal latency(double percentile, Duration target) {
        return new LatencySignal(percentile, target);
    }

    /** The share of requests that failed, of those that the caller reports. */
    public static ErrorSignal errors() {
        return new ErrorSignal();
    }
}
