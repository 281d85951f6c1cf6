package io.sluice.benchmarks.adaptive;

import io.sluice.Limit;
import io.sluice.RateLimiter;
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

/** A rate limit with an {@code adapt} rule, in a memory store on virtual time. */
final class FactorMode implements Mode {
    private final Limit limit;
    private final LoadFactor factor;
    private final DoubleSupplier signal;
    private final boolean followsLoad;
    private final RateLimiter limiter;
    private final LatencySignal latency;
    private long now;

    private FactorMode(Scenario scenario, LoadRule rule, LatencySignal latency, boolean followsLoad) {
        this.limit = limitFor(scenario);
        this.factor = new LoadFactor(rule, 0);
        this.latency = latency;
        this.signal = latency;
        this.followsLoad = followsLoad;
        this.limiter = MemoryStore.builder().time(() -> now).build().limiter("server", limit);
    }

    /** What the server can do at first, with a burst of a fiftieth of a second. */
    private static Limit limitFor(Scenario scenario) {
        long perSecond = Math.round(scenario.phases().get(0).capacity());
        return new TokenBucket(perSecond, Duration.ofSeconds(1), Math.max(4, perSecond / 50), io.sluice.Refill.GREEDY);
    }

    /** Busy workers are this server's CPUs: between 91% and 99% is what it is to be. */
    static FactorMode cpu(Scenario scenario) {
        return new FactorMode(
                scenario, rule("0.99", "0.91", "0.86", "1.06", 400), Signals.latency(99, Duration.ofSeconds(1)), true);
    }

    /** A 90th percentile of two and a half times the unloaded one is the target. */
    static FactorMode latency(Scenario scenario) {
        long target = 5 * scenario.phases().get(0).unloadedPercentile(90) / 2;
        return new FactorMode(
                scenario,
                rule("1", "0.85", "0.9", "1.03", 250),
                Signals.latency(90, Duration.ofNanos(target * 1000)),
                false);
    }

    private static LoadRule rule(String above, String below, String down, String up, int everyMillis) {
        return new LoadRule(
                new BigDecimal(above),
                new BigDecimal(below),
                new BigDecimal(down),
                new BigDecimal(up),
                new BigDecimal("0.05"),
                BigDecimal.ONE,
                Duration.ofMillis(everyMillis));
    }

    @Override
    public long enter(long now) {
        this.now = now;
        return limiter.tryAcquire("") ? now : DENIED;
    }

    @Override
    public void left(long now, long enteredAt, long mark, int inFlight) {
        latency.reportMicros(now - enteredAt);
    }

    @Override
    public void load(long now, double load) {
        this.now = now;
        if (factor.sample(now, followsLoad ? load : signal.getAsDouble())) {
            limiter.update(ScaledLimit.of(limit, factor.factor()).limit());
        }
    }

    @Override
    public double number() {
        return factor.factor().doubleValue();
    }
}
