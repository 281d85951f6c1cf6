package io.sluice.benchmarks.local;

import io.sluice.benchmarks.common.Median;
import io.sluice.benchmarks.common.ProgressLog;
import io.sluice.benchmarks.local.JmhCase.Contestant;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/*
 * The speed of a machine changes with time. If each library ran in one piece, one of them could get the slow minutes. So
 * there are rounds. In each round every library runs once, for a short time, in a new JVM and in a new random order. The
 * result is the median of the rounds.
 */
/** Runs JMH benchmarks, interleaved. */
final class JmhRounds {
    private final JmhPlan plan;
    private final ProgressLog progress;
    private final Random random = new Random();
    private final Map<Contestant, List<Double>> ns = new HashMap<>();
    private final Map<Contestant, List<Double>> bytes = new HashMap<>();
    private boolean failed;

    JmhRounds(JmhPlan plan, ProgressLog progress) {
        this.plan = plan;
        this.progress = progress;
        // Two runs at the same time disturb each other. But a lock file that is left behind would block later runs.
        System.setProperty("jmh.ignoreLock", "true");
    }

    void run(Collection<Contestant> contestants) {
        Duration soFar = Duration.ZERO;
        int runs = 0;
        for (int round = 1; round <= plan.rounds(); round++) {
            List<Contestant> order = new ArrayList<>(contestants);
            if (round > plan.asides()) {
                order.removeIf(Contestant::aside);
            }
            if (runs > 0 && !fits(soFar.multipliedBy(order.size()).dividedBy(runs))) {
                return;
            }
            Collections.shuffle(order, random);
            Duration start = progress.elapsed();
            for (Contestant contestant : order) {
                progress.log("round " + round + ": " + shortName(contestant) + " " + run(contestant));
            }
            soFar = soFar.plus(progress.elapsed()).minus(start);
            runs += order.size();
        }
    }

    private boolean fits(Duration round) {
        return progress.elapsed().plus(round).compareTo(plan.budget()) <= 0;
    }

    /** Runs a contestant and returns its result as text. A failure leaves its result empty, and the others continue. */
    private String run(Contestant contestant) {
        PrintStream before = System.out;
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        // The output of the JVMs is shown only if a run fails.
        System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
        try {
            return add(contestant, new Runner(options(contestant)).runSingle());
        } catch (RunnerException e) {
            failed = true;
            return "failed:\n" + printed.toString(StandardCharsets.UTF_8) + root(e);
        } finally {
            System.setOut(before);
        }
    }

    /** The root cause. JMH hides the exception of a benchmark among the suppressed ones. */
    private static Throwable root(Throwable e) {
        Throwable next = e.getSuppressed().length > 0 ? e.getSuppressed()[0] : e.getCause();
        return next == null ? e : root(next);
    }

    private String add(Contestant contestant, RunResult result) {
        double score = result.getPrimaryResult().getStatistics().getPercentile(50);
        ns.computeIfAbsent(contestant, unused -> new ArrayList<>()).add(score);
        Result<?> allocated = result.getSecondaryResults().get("gc.alloc.rate.norm");
        if (allocated != null) {
            bytes.computeIfAbsent(contestant, unused -> new ArrayList<>()).add(allocated.getScore());
        }
        return LocalTable.text("%.1f ns", score);
    }

    private Options options(Contestant contestant) {
        TimeValue time = TimeValue.milliseconds(plan.iterationTime().toMillis());
        return new OptionsBuilder()
                .include("^" + Pattern.quote(contestant.benchmark()) + "$")
                .mode(Mode.AverageTime)
                .timeUnit(TimeUnit.NANOSECONDS)
                .forks(1)
                .warmupIterations(plan.iterations())
                .warmupTime(time)
                .measurementIterations(plan.iterations())
                .measurementTime(time)
                .addProfiler(GCProfiler.class)
                .shouldFailOnError(true)
                .verbosity(VerboseMode.SILENT)
                // Touch the heap at the start. Otherwise the speed of the kernel is measured with every allocation.
                .jvmArgs("-XX:+UseParallelGC", "-XX:+AlwaysPreTouch", "-Xms128m", "-Xmx128m", "-Xmn64m", sentinelLog())
                .build();
    }

    /** A log directory for Sentinel, which would otherwise write to the user's home. */
    private static String sentinelLog() {
        return "-Dcsp.sentinel.log.dir=" + Path.of(System.getProperty("java.io.tmpdir"), "sluice-bench-sentinel");
    }

    private static String shortName(Contestant contestant) {
        return contestant.benchmark().replaceFirst(".*\\.(.*\\.)", "$1");
    }

    /** The medians of a contestant. */
    LocalMeasurement figure(Contestant contestant) {
        return new LocalMeasurement(contestant.who(), median(ns.get(contestant)), median(bytes.get(contestant)));
    }

    private static @Nullable Double median(@Nullable List<Double> samples) {
        return samples == null ? null : Median.of(samples);
    }

    /** Whether a contestant failed. */
    boolean failed() {
        return failed;
    }
}
