package io.sluice.benchmarks.adaptive;

import io.sluice.Concurrency;
import io.sluice.Limit;
import io.sluice.RateLimiter;
import io.sluice.Refill;
import io.sluice.TokenBucket;
import io.sluice.adapt.LatencySignal;
import io.sluice.adapt.LoadFactor;
import io.sluice.adapt.LoadRule;
import io.sluice.adapt.ScaledLimit;
import io.sluice.adapt.Signals;
import io.sluice.memory.MemoryStore;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.function.DoubleSupplier;

/*
 * A rate is the wrong limit for a signal that shows an overload late. While the rate is too high, a queue grows, and it is still there
 * when the rate is right again: so the rule goes on cutting, and then has to climb. A number in flight bounds the queue itself. Requests
 * leave faster when the server is faster, so the number need not follow the capacity, and the rule only has to make it large enough
 * for the time that requests spend elsewhere.
 */
/** A limit with an {@code adapt} rule. The signal is read once in each {@code every}, as {@code Adaptation} and policies do. */
final class FactorMode implements Mode {
    private final Limit limit;
    private final LoadFactor factor;
    private final Meter meter;
    private final Gate gate;

    private FactorMode(Limit limit, LoadRule rule, Meter meter, Gate gate) {
        this.limit = limit;
        this.factor = new LoadFactor(rule, 0);
        this.meter = meter;
        this.gate = gate;
    }

    /** The rule of the guide: twice as many in flight as the server has workers, its CPUs; 3/4 to twice of that. */
    static FactorMode cpu(Scenario scenario) {
        Concurrency limit = inFlight(scenario);
        LoadRule rule = rule("0.99", "0.92", "0.9", "1.1", "0.75", "2", 1000);
        return new FactorMode(limit, rule, new BusyMeter(), new InFlight(limit));
    }

    /** The rule of the guide: the target is three times the 90th percentile of the unloaded server. */
    static FactorMode latency(Scenario scenario) {
        Concurrency limit = inFlight(scenario);
        LoadRule rule = rule("1", "0.7", "0.8", "1.1", "0.5", "2", 2000);
        return new FactorMode(limit, rule, new LatencyMeter(scenario, 3), new InFlight(limit));
    }

    /** The same around a rate. */
    static FactorMode cpuOfRate(Scenario scenario) {
        TokenBucket limit = rate(scenario);
        LoadRule rule = rule("0.99", "0.91", "0.86", "1.06", "0.05", "1", 400);
        return new FactorMode(limit, rule, new BusyMeter(), new Rate(limit));
    }

    /** The same around a rate. */
    static FactorMode latencyOfRate(Scenario scenario) {
        TokenBucket limit = rate(scenario);
        LoadRule rule = rule("1", "0.85", "0.9", "1.03", "0.05", "1", 300);
        return new FactorMode(limit, rule, new LatencyMeter(scenario, 2.5), new Rate(limit));
    }

    private static Concurrency inFlight(Scenario scenario) {
        return new Concurrency(2L * scenario.phases().get(0).workers(), Duration.ofMinutes(1));
    }

    /** What the server can do at first, with a burst of a fiftieth of a second. */
    private static TokenBucket rate(Scenario scenario) {
        long perSecond = Math.round(scenario.phases().get(0).capacity());
        return new TokenBucket(perSecond, Duration.ofSeconds(1), Math.max(4, perSecond / 50), Refill.GREEDY);
    }

    private static LoadRule rule(
            String above, String below, String down, String up, String least, String most, int everyMillis) {
        return new LoadRule(
                new BigDecimal(above),
                new BigDecimal(below),
                new BigDecimal(down),
                new BigDecimal(up),
                new BigDecimal(least),
                new BigDecimal(most),
                Duration.ofMillis(everyMillis));
    }

    @Override
    public long enter(long now) {
        return gate.enter(now) ? now : DENIED;
    }

    @Override
    public void left(long now, long enteredAt, long mark, int inFlight) {
        gate.left();
        meter.left(now - enteredAt);
    }

    @Override
    public void load(long now, double load) {
        meter.load(load);
        if (now < factor.nextTickMicros()) {
            return;
        }
        // The reading is about the time before the tick.
        double value = meter.getAsDouble();
        if (Double.isNaN(value)) {
            factor.silent(factor.nextTickMicros() - 1);
        } else {
            factor.sample(factor.nextTickMicros() - 1, value);
        }
        if (factor.advance(now)) {
            gate.update(ScaledLimit.of(limit, factor.factor()).limit());
        }
    }

    @Override
    public double number() {
        return factor.factor().doubleValue();
    }

    /** A signal that hears what happens. A reading is about the time since the last one. */
    private interface Meter extends DoubleSupplier {
        default void left(long latency) {}

        default void load(double load) {}
    }

    /** The share of the workers' time that was used: busy workers are this server's CPUs. */
    private static final class BusyMeter implements Meter {
        private double sum;
        private int count;

        @Override
        public void load(double load) {
            sum += load;
            count++;
        }

        @Override
        public double getAsDouble() {
            double mean = sum / count;
            sum = 0;
            count = 0;
            return mean;
        }
    }

    /** A 90th percentile, as a share of some times that of the unloaded server. */
    private static final class LatencyMeter implements Meter {
        private static final int PERCENTILE = 90;

        private final LatencySignal signal;

        LatencyMeter(Scenario scenario, double times) {
            double target = times * scenario.phases().get(0).unloadedPercentile(PERCENTILE);
            signal = Signals.latency(PERCENTILE, Duration.ofNanos(Math.round(target * 1000)));
        }

        @Override
        public void left(long latency) {
            signal.reportMicros(latency);
        }

        @Override
        public double getAsDouble() {
            return signal.getAsDouble();
        }
    }

    /** What admits requests. */
    private interface Gate {
        boolean enter(long now);

        default void left() {}

        void update(Limit limit);
    }

    /** A limit on what is in flight. */
    private static final class InFlight implements Gate {
        private long most;
        private long held;

        InFlight(Concurrency limit) {
            most = limit.permits();
        }

        @Override
        public boolean enter(long now) {
            if (held >= most) {
                return false;
            }
            held++;
            return true;
        }

        @Override
        public void left() {
            held--;
        }

        @Override
        public void update(Limit limit) {
            most = ((Concurrency) limit).permits();
        }
    }

    /** A limit on arrivals, in a memory store on virtual time. */
    private static final class Rate implements Gate {
        private final RateLimiter limiter;
        private long now;

        Rate(Limit limit) {
            limiter = MemoryStore.builder().time(() -> now).build().limiter("server", limit);
        }

        @Override
        public boolean enter(long now) {
            this.now = now;
            return limiter.tryAcquire("");
        }

        @Override
        public void update(Limit limit) {
            limiter.update(limit);
        }
    }
}
