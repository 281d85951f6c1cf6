package io.sluice.policy.engine;

import io.sluice.TimeSource;
import io.sluice.adapt.ErrorSignal;
import io.sluice.adapt.LatencySignal;
import io.sluice.adapt.LoadFactor;
import io.sluice.adapt.Signals;
import io.sluice.policy.Adapt;
import io.sluice.policy.Mode;
import io.sluice.policy.Policies;
import io.sluice.policy.Policy;
import io.sluice.policy.PolicyEngine;
import io.sluice.policy.watch.DaemonThreads;
import java.lang.System.Logger.Level;
import java.math.BigDecimal;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.function.DoubleSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/*
 * Each policy that follows a signal has a LoadFactor, a state machine that knows neither clocks nor threads. Here are both: a timer
 * reads the signal at each tick, on a thread of its own. Then ActivePolicies puts the limits in force.
 *
 * The lock of ActivePolicies comes before the lock of this object. So this object calls ActivePolicies without its own lock.
 */
/** The factors of the policies whose limits follow a signal. Public for {@link PolicyEngine}, which creates it. Thread-safe. */
public final class SignalFactors implements Factors, AutoCloseable {
    private static final System.Logger LOG = System.getLogger("io.sluice.policy");

    /** The signals that need nothing from the application but reports of how requests ended. */
    private static final Set<String> MEASURED = Set.of(Adapt.CPU, Adapt.LATENCY, Adapt.ERRORS);

    private final TimeSource time;
    private final Map<String, DoubleSupplier> signals;

    /** Whether callers report all values, so that nothing is measured and no timer runs. */
    private final boolean onlyReported;

    private final ThreadPoolExecutor worker = DaemonThreads.single("sluice-policy-signals");
    private final Map<String, Followed> followed = new ConcurrentHashMap<>();

    /** Puts changed factors in force. Returns those before. */
    private volatile Supplier<Map<String, BigDecimal>> apply = Map::of;

    private boolean isClosed;

    /**
     * @param signals the signals of the application, by their names
     * @param onlyReported whether callers report all values, so that nothing is measured and no timer runs
     */
    public SignalFactors(TimeSource time, Map<String, DoubleSupplier> signals, boolean onlyReported) {
        this.time = time;
        this.signals = Map.copyOf(signals);
        this.onlyReported = onlyReported;
    }

    /** A policy that follows a signal. Its fields are guarded by the lock of the factors. */
    private final class Followed {
        final String policy;
        final Adapt adapt;
        final DoubleSupplier signal;
        final LoadFactor factor;

        /** A copy of the factor in force, to be read without the lock. */
        volatile BigDecimal now;

        Runnable cancel = () -> {};
        boolean isOver;

        /** Whether the last reading failed. Only {@link #read} uses it, which runs on one thread at a time. */
        private boolean isFailing;

        Followed(String policy, Adapt adapt) {
            this.policy = policy;
            this.adapt = adapt;
            this.signal = signal(policy, adapt);
            this.factor = new LoadFactor(adapt.rule(), time.micros());
            this.now = factor.factor();
        }

        void schedule() {
            if (!isOver && !onlyReported) {
                cancel = time.schedule(Math.max(0, factor.nextTickMicros() - time.micros()), this::begin);
            }
        }

        /** The timer of the system serves everybody, so it does not wait for a reload that is under way. */
        private void begin() {
            if (time != TimeSource.system()) {
                tick();
                return;
            }
            try {
                worker.execute(this::tick);
            } catch (RejectedExecutionException closed) {
                // Nobody follows the signal any more.
            }
        }

        private void tick() {
            double value = read();
            boolean changed;
            synchronized (SignalFactors.this) {
                if (isOver) {
                    return;
                }
                long micros = time.micros();
                // The reading is about the time before the tick.
                long read = Math.min(micros, factor.nextTickMicros() - 1);
                // A value that the application reports holds until its next report.
                boolean isSilent = Double.isNaN(value) && isMeasured();
                changed = isSilent ? factor.silent(read) : factor.sample(read, value);
                changed |= factor.advance(micros);
                now = factor.factor();
                schedule();
            }
            if (changed) {
                applyChanges();
            }
        }

        private boolean isMeasured() {
            return signals.containsKey(adapt.signal()) || MEASURED.contains(adapt.signal());
        }

        /** A signal that fails is a signal without a value. The log says so once, until it works again. */
        private double read() {
            try {
                double value = signal.getAsDouble();
                isFailing = false;
                return value;
            } catch (RuntimeException | Error unreadable) {
                if (!isFailing) {
                    isFailing = true;
                    LOG.log(
                            Level.WARNING,
                            "policy \"{0}\": the signal \"{1}\" cannot be read: {2} (expected: a number, or NaN for no value)."
                                    + " The limits stay as they are until it can.",
                            policy,
                            adapt.signal(),
                            unreadable);
                }
                return Double.NaN;
            }
        }

        /** @param value NaN to run only the ticks up to now */
        boolean report(long micros, double value) {
            boolean changed = factor.sample(micros, value);
            now = factor.factor();
            return changed;
        }

        void end() {
            isOver = true;
            cancel.run();
        }
    }

    private DoubleSupplier signal(String policy, Adapt adapt) {
        DoubleSupplier own = signals.get(adapt.signal());
        if (own != null) {
            return own;
        }
        return switch (onlyReported ? "" : adapt.signal()) {
            case Adapt.CPU -> Signals.cpu(time);
            case Adapt.LATENCY ->
                Signals.latency(
                        Objects.requireNonNull(adapt.percentile()).doubleValue(),
                        Objects.requireNonNull(adapt.target()));
            case Adapt.ERRORS -> Signals.errors();
            default -> {
                warnOfUnknown(policy, adapt.signal());
                yield SignalFactors::nothing;
            }
        };
    }

    private static double nothing() {
        return Double.NaN;
    }

    private void warnOfUnknown(String policy, String signal) {
        if (!onlyReported) {
            LOG.log(
                    Level.WARNING,
                    "policy \"{0}\": this process does not measure the signal \"{1}\", so the limits stay as they are unless"
                            + " a value is reported (expected: cpu, latency, errors, or a signal that the application gave to the"
                            + " engine)",
                    policy,
                    signal);
        }
    }

    /** Sets what puts changed factors in force, and returns those before. */
    public void applyBy(Supplier<Map<String, BigDecimal>> apply) {
        this.apply = apply;
    }

    /** Follows the signals of these policies from now on. A policy with the same {@code adapt} as before keeps its factor. */
    public synchronized void watch(Policies policies) {
        Map<String, Followed> wanted = new HashMap<>();
        for (Policy policy : policies.policies()) {
            Adapt adapt = policy.adapt();
            if (adapt != null && policy.mode() != Mode.OFF && !isClosed) {
                Followed known = followed.get(policy.name());
                Followed next = known != null && known.adapt.equals(adapt) ? known : new Followed(policy.name(), adapt);
                wanted.put(policy.name(), next);
            }
        }
        followed.forEach((name, old) -> {
            if (wanted.get(name) != old) {
                old.end();
                followed.remove(name, old);
            }
        });
        wanted.forEach((name, next) -> {
            if (followed.put(name, next) != next) {
                next.schedule();
            }
        });
    }

    @Override
    public @Nullable BigDecimal of(Policy policy) {
        if (policy.adapt() == null) {
            return null;
        }
        Followed known = followed.get(policy.name());
        return known != null && known.adapt.equals(policy.adapt()) ? known.now : BigDecimal.ONE;
    }

    /** See {@link PolicyEngine#signals(Map)}. */
    public void report(Map<String, Double> values) {
        if (followed.isEmpty()) {
            return;
        }
        boolean changed = false;
        synchronized (this) {
            long micros = time.micros();
            for (Followed each : followed.values()) {
                Double value = values.get(each.adapt.signal());
                changed |= each.report(micros, value == null ? Double.NaN : value);
            }
        }
        if (changed) {
            applyChanges();
        }
    }

    /** See {@link PolicyEngine#nextSignalMicros}. */
    public synchronized long nextChangeMicros() {
        long next = Long.MAX_VALUE;
        for (Followed each : followed.values()) {
            next = Math.min(next, each.factor.nextChangeMicros());
        }
        return next;
    }

    /** See {@link PolicyEngine#finished}. */
    public void finished(long latencyMicros, boolean isFailure) {
        if (followed.isEmpty()) {
            return;
        }
        for (Followed each : followed.values()) {
            if (each.signal instanceof LatencySignal latency) {
                latency.reportMicros(latencyMicros);
            } else if (each.signal instanceof ErrorSignal errors) {
                errors.report(isFailure);
            }
        }
    }

    private void applyChanges() {
        apply.get().forEach((policy, before) -> {
            Followed each = followed.get(policy);
            if (each != null) {
                // A change in a recording happens now only because it is replayed.
                LOG.log(
                        onlyReported ? Level.DEBUG : Level.INFO,
                        "policy \"{0}\": its limits are multiplied by {1} now instead of {2}, because of the signal \"{3}\"",
                        policy,
                        Adapt.factorText(each.now),
                        Adapt.factorText(before),
                        each.adapt.signal());
            }
        });
    }

    @Override
    public synchronized void close() {
        isClosed = true;
        followed.values().forEach(Followed::end);
        followed.clear();
        worker.shutdown();
    }
}
