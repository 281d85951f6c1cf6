package io.sluice.adapt;

import java.util.concurrent.atomic.LongAdder;
import java.util.function.DoubleSupplier;

/**
 * The share of the requests that failed, from 0 to 1. Each reading is about the requests since the last reading; {@code NaN} if there
 * were none. Reporting is thread-safe.
 */
public final class ErrorSignal implements DoubleSupplier {
    private final LongAdder failed = new LongAdder();
    private final LongAdder succeeded = new LongAdder();

    ErrorSignal() {}

    /** Reports a request. */
    public void report(boolean isFailure) {
        (isFailure ? failed : succeeded).increment();
    }

    @Override
    public synchronized double getAsDouble() {
        double failures = failed.sumThenReset();
        double all = failures + succeeded.sumThenReset();
        return all == 0 ? Double.NaN : failures / all;
    }
}
