package io.sluice.benchmarks.spring;

import io.sluice.benchmarks.common.Median;
import io.sluice.benchmarks.load.Load;
import io.sluice.benchmarks.load.Sample;
import io.sluice.testkit.redis.RedisProcess;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/** The runs of one gateway. */
final class GatewayRuns {
    private final String who;
    private final AppProcess gateway;
    private final RedisProcess redis;
    private final Load load;
    private final List<GatewayRun> kept = new ArrayList<>();

    GatewayRuns(String who, AppProcess gateway, RedisProcess redis, Load load) {
        this.who = who;
        this.gateway = gateway;
        this.redis = redis;
        this.load = load;
    }

    String who() {
        return who;
    }

    GatewayRun run(Duration time) throws InterruptedException {
        // The load must not pay for the garbage of the run before.
        System.gc();
        Duration before = gateway.cpuTime();
        double redisBefore = redisSeconds();
        Sample sample = load.run(time);
        if (sample.calls() == 0) {
            throw new IllegalStateException(who + ": no request was answered in " + time.toMillis() + " ms");
        }
        double nanos = gateway.cpuTime().minus(before).toNanos();
        double redisNanos = (redisSeconds() - redisBefore) * 1e9;
        return new GatewayRun(
                sample.perSecond(), sample.p99Micros(), nanos / sample.calls(), redisNanos / sample.calls());
    }

    private double redisSeconds() {
        Map<String, String> cpu = redis.info("cpu");
        return seconds(cpu, "used_cpu_user") + seconds(cpu, "used_cpu_sys");
    }

    private static double seconds(Map<String, String> cpu, String field) {
        String text = cpu.get(field);
        if (text == null) {
            throw new IllegalStateException("INFO cpu has no " + field + ": " + cpu);
        }
        return Double.parseDouble(text);
    }

    /** Keeps a measured run; a run that warms up is not kept. */
    void keep(GatewayRun run) {
        kept.add(run);
    }

    double median(ToDoubleFunction<GatewayRun> number) {
        return Median.of(kept.stream().mapToDouble(number).boxed().toList());
    }

    /** The median, over the rounds, of the CPU time that this gateway takes more than another one in the same round. */
    double medianMinus(GatewayRuns other) {
        List<Double> more = new ArrayList<>();
        for (int round = 0; round < kept.size(); round++) {
            more.add(kept.get(round).cpuNanos() - other.kept.get(round).cpuNanos());
        }
        return Median.of(more);
    }
}
