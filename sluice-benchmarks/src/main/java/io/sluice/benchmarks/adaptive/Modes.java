package io.sluice.benchmarks.adaptive;

import com.netflix.concurrency.limits.limit.Gradient2Limit;
import com.netflix.concurrency.limits.limit.VegasLimit;
import com.netflix.concurrency.limits.limit.WindowedLimit;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;

/** The modes of the table, by name. Each call makes a new one, for a server. */
final class Modes {
    /** The one that must not be more than 2% behind the best of the others. */
    static final String ADAPTIVE = "adaptive";

    static final String CPU = "adapt-cpu";
    static final String LATENCY = "adapt-latency";

    private Modes() {}

    static Map<String, Function<Scenario, Mode>> ours() {
        Map<String, Function<Scenario, Mode>> modes = new LinkedHashMap<>();
        modes.put(ADAPTIVE, scenario -> new SluiceAdaptive());
        modes.put(CPU, scenario -> FactorMode.cpu(scenario));
        modes.put(LATENCY, scenario -> FactorMode.latency(scenario));
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
        modes.put("vegas", scenario -> new NetflixMode(VegasLimit.newDefault()));
        modes.put("bbr", scenario -> new BbrMode(scenario.phases().get(0).workers()));
        return modes;
    }

    static Map<String, Function<Scenario, Mode>> all() {
        Map<String, Function<Scenario, Mode>> modes = new LinkedHashMap<>(ours());
        modes.putAll(others());
        return modes;
    }
}
