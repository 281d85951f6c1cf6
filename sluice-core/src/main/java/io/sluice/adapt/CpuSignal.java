package io.sluice.adapt;

import io.sluice.TimeSource;
import java.util.function.DoubleSupplier;

/** CPU time used since the last reading, as a share of what could have been used. */
final class CpuSignal implements DoubleSupplier {
    /** Where used CPU time is read, and how much there is. */
    interface Meter {
        /** Microseconds of CPU time used since some moment; negative if not known. */
        long usedMicros();

        /** Microseconds of CPU time that one second offers, in fractions of a CPU. */
        double cpus();
    }

    private final Meter meter;
    private final TimeSource time;
    private long usedThen;
    private long then;

    private CpuSignal(Meter meter, TimeSource time) {
        this.meter = meter;
        this.time = time;
        this.usedThen = meter.usedMicros();
        this.then = time.micros();
    }

    static CpuSignal of(CpuFiles files, TimeSource time) {
        return new CpuSignal(CpuMeters.of(files), time);
    }

    static CpuSignal of(Meter meter, TimeSource time) {
        return new CpuSignal(meter, time);
    }

    @Override
    public synchronized double getAsDouble() {
        long used = meter.usedMicros();
        long now = time.micros();
        double available = (now - then) * meter.cpus();
        double share = used < 0 || usedThen < 0 || available <= 0 || used < usedThen
                ? Double.NaN
                : Math.min(1, (used - usedThen) / available);
        usedThen = used;
        then = now;
        return share;
    }
}
