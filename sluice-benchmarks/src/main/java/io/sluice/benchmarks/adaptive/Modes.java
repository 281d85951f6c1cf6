package io.sluice.benchmarks.adaptive;

import com.netflix.concurrency.limits.limit.Gradient2Limit;
import com.netflix.concurrency.limits.limit.VegasLimit;
import com.netflix.concurrency.limits.limit.WindowedLimit;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;

/** The modes of the table, by name. Each call makes a new one, for a server. */
final class Modes {
    static final String ADAPTIVE = "adaptive";

    static final String CPU = "adapt-cpu";
    static final String LATENCY = "adapt-latency";
    static final String CPU_OF_RATE = "adapt-cpu-of-rate";
    static final String LATENCY_OF_RATE = "adapt-latency-of-rate";

    private Modes() {}

    /** Those that must keep the bounds, and must not be more than 2% behind the best of the others. */
    static Map<String, Function<Scenario, Mode>> ours() {
        Map<String, Function<Scenario, Mode>> modes = new LinkedHashMap<>();
        modes.put(ADAPTIVE, scenario -> new SluiceAdaptive());
        modes.put(CPU, FactorMode::cpu);
        modes.put(LATENCY, FactorMode::latency);
        return modes;
    }

    /** The rules around a rate, for comparison: nobody expects that they keep the bounds. */
    static Map<String, Function<Scenario, Mode>> ofRates() {
        Map<String, Function<Scenario, Mode>> modes = new LinkedHashMap<>();
        modes.put(CPU_OF_RATE, FactorMode::cpuOfRate);
        modes.put(LATENCY_OF_RATE, FactorMode::latencyOfRate);
        return modes;
    }

    static Map<String, Function<Scenario, Mode>> others() {
        Map<String, Function<Scenario, Mode>> modes = new LinkedHashMap<>();
        modes.put("none", scenario -> new FixedMode(Integer.MAX_VALUE));
        modes.put(
                "fixed", scenario -> new FixedMode(2 * scenario.phases().get(0).workers()));
        modes.put(
                "gradient2",
                scenario -> new NetflixMode(WindowedLimit.newBuilder().build(Gradient2Limit.newDefault())));
        // By itself it follows single samples, which is far worse.
        modes.put(
                "vegas", scenario -> new NetflixMode(WindowedLimit.newBuilder().build(VegasLimit.newDefault())));
        modes.put("bbr", scenario -> new BbrMode());
        return modes;
    }

    static Map<String, Function<Scenario, Mode>> all() {
        Map<String, Function<Scenario, Mode>> modes = new LinkedHashMap<>(ours());
        modes.putAll(ofRates());
        modes.putAll(others());
        return modes;
    }
}
