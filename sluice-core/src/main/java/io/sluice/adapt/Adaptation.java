package io.sluice.adapt;

import io.sluice.Limit;
import io.sluice.RateLimiter;
import io.sluice.TimeSource;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.DoubleSupplier;

/**
 * Scales the limits of a limiter by what is measured. What was used stays used.
 *
 * <pre>{@code
 * try (Adaptation adaptation = Adaptation.of(limiter).signal(Signals.cpu()).above(0.8).below(0.5).start()) {
 *     ...
 * }
 * }</pre>
 *
 * <p>The limits at the start are those that are scaled. While it runs, nothing else should {@linkplain RateLimiter#update update}
 * them. The signal is read at each tick of the {@link LoadRule}, on the timer of the clock, so a signal must not block. Thread-safe.
 */
public final class Adaptation implements AutoCloseable {
    private final RateLimiter limiter;
    private final List<Limit> limits;
    private final DoubleSupplier signal;
    private final TimeSource time;
    private final Consumer<BigDecimal> listener;
    private final LoadFactor factor;
    private Runnable cancel = () -> {};
    private boolean isClosed;

    private Adaptation(Builder builder, DoubleSupplier signal) {
        this.limiter = builder.limiter;
        this.limits = limiter.limits();
        this.signal = signal;
        this.time = builder.time;
        this.listener = builder.listener;
        this.factor = new LoadFactor(builder.rule(), time.micros());
    }

    /** Begins to describe how a limiter adapts. */
    public static Builder of(RateLimiter limiter) {
        return new Builder(limiter);
    }

    /** The factor in force. */
    public synchronized BigDecimal factor() {
        return factor.factor();
    }

    /** Stops. The limits that the limiter had at the start are in force again. */
    @Override
    public synchronized void close() {
        if (!isClosed) {
            isClosed = true;
            cancel.run();
            if (factor.factor().compareTo(BigDecimal.ONE) != 0) {
                scaleBy(BigDecimal.ONE);
            }
        }
    }

    private synchronized void schedule() {
        if (!isClosed) {
            cancel = time.schedule(Math.max(0, factor.nextTickMicros() - time.micros()), this::tick);
        }
    }

    private void tick() {
        try {
            tick(read());
        } finally {
            schedule();
        }
    }

    /** A signal that fails is a signal without a value. */
    private double read() {
        try {
            return signal.getAsDouble();
        } catch (RuntimeException | Error unreadable) {
            return Double.NaN;
        }
    }

    private synchronized void tick(double value) {
        if (isClosed) {
            return;
        }
        // The reading is about the time before the tick.
        long read = Math.min(time.micros(), factor.nextTickMicros() - 1);
        if (Double.isNaN(value)) {
            factor.silent(read);
        } else {
            factor.sample(read, value);
        }
        if (factor.advance(time.micros())) {
            scaleBy(factor.factor());
            listener.accept(factor.factor());
        }
    }

    private void scaleBy(BigDecimal by) {
        Limit[] scaled =
                limits.stream().map(limit -> ScaledLimit.of(limit, by).limit()).toArray(Limit[]::new);
        Limit[] more = Arrays.copyOfRange(scaled, 1, scaled.length);
        limiter.updateAsync(scaled[0], more);
    }

    /** How a limiter adapts. All but the signal has a default. */
    public static final class Builder {
        private final RateLimiter limiter;
        private DoubleSupplier signal = () -> Double.NaN;
        private boolean hasSignal;
        private BigDecimal above = LoadRule.DEFAULT.above();
        private BigDecimal below = LoadRule.DEFAULT.below();
        private BigDecimal down = LoadRule.DEFAULT.down();
        private BigDecimal up = LoadRule.DEFAULT.up();
        private BigDecimal least = LoadRule.DEFAULT.least();
        private BigDecimal most = LoadRule.DEFAULT.most();
        private Duration every = LoadRule.DEFAULT.every();
        private TimeSource time = TimeSource.system();
        private Consumer<BigDecimal> listener = unused -> {};

        private Builder(RateLimiter limiter) {
            this.limiter = Objects.requireNonNull(limiter, "limiter");
        }

        /** What is measured. {@code NaN}, or an exception, means that nothing was: then the limits stay as they are. */
        public Builder signal(DoubleSupplier signal) {
            this.signal = Objects.requireNonNull(signal, "signal");
            this.hasSignal = true;
            return this;
        }

        /** The limits fall while the signal is above this; default 0.8. */
        public Builder above(double above) {
            this.above = BigDecimal.valueOf(above);
            return this;
        }

        /** The limits rise while the signal is below this; default 0.5. */
        public Builder below(double below) {
            this.below = BigDecimal.valueOf(below);
            return this;
        }

        /** What the limits fall by; default 0.5. */
        public Builder down(double down) {
            this.down = BigDecimal.valueOf(down);
            return this;
        }

        /** What the limits rise by; default 1.5. */
        public Builder up(double up) {
            this.up = BigDecimal.valueOf(up);
            return this;
        }

        /** The smallest and the largest factor; default 0.2 and 1. */
        public Builder between(double least, double most) {
            this.least = BigDecimal.valueOf(least);
            this.most = BigDecimal.valueOf(most);
            return this;
        }

        /** How often the limits may change; default 1 s. */
        public Builder every(Duration every) {
            this.every = every;
            return this;
        }

        /** The clock whose timer reads the signal. */
        public Builder time(TimeSource time) {
            this.time = Objects.requireNonNull(time, "time");
            return this;
        }

        /** Hears every change of the factor. */
        public Builder onChange(Consumer<BigDecimal> listener) {
            this.listener = Objects.requireNonNull(listener, "listener");
            return this;
        }

        private LoadRule rule() {
            return new LoadRule(above, below, down, up, least, most, every);
        }

        /** Starts to adapt. */
        public Adaptation start() {
            if (!hasSignal) {
                throw new IllegalStateException("no signal (expected: signal(Signals.cpu()) or another)");
            }
            Adaptation adaptation = new Adaptation(this, signal);
            adaptation.schedule();
            return adaptation;
        }
    }
}
