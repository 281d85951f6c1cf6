package io.sluice.benchmarks;

import io.sluice.benchmarks.Case.Contestant;
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
 * A machine is not equally fast all the time. If each library had its minutes in one piece, one of them would get the bad
 * ones. So there are rounds: in each, everybody runs once, shortly, in a fresh JVM and in a new random order, and the
 * median over the rounds counts.
 */
/** Runs JMH benchmarks, interleaved. */
final class Rounds {
    private final Pace pace;
    private final Progress progress;
    private final Random random = new Random();
    private final Map<Contestant, List<Double>> ns = new HashMap<>();
    private final Map<Contestant, List<Double>> bytes = new HashMap<>();
    private boolean failed;

    Rounds(Pace pace, Progress progress) {
        this.pace = pace;
        this.progress = progress;
        // Two runs on one machine spoil each other, but that is for people to see to, not for a lock file that stays.
        System.setProperty("jmh.ignoreLock", "true");
    }

    void run(Collection<Contestant> contestants) {
        Duration soFar = Duration.ZERO;
        int runs = 0;
        for (int round = 1; round <= pace.rounds(); round++) {
            List<Contestant> order = new ArrayList<>(contestants);
            if (round > pace.asides()) {
                order.removeIf(Contestant::aside);
            }
            if (runs > 0 && !fits(soFar.multipliedBy(order.size()).dividedBy(runs))) {
                return;
            }
            Collections.shuffle(order, random);
            Duration start = progress.elapsed();
            for (Contestant contestant : order) {
                progress.say("round " + round + ": " + shortName(contestant) + " " + run(contestant));
            }
            soFar = soFar.plus(progress.elapsed()).minus(start);
            runs += order.size();
        }
    }

    private boolean fits(Duration round) {
        return progress.elapsed().plus(round).compareTo(pace.budget()) <= 0;
    }

    /** Runs one; what it needed, as text. One that fails leaves its place empty, and the others go on. */
    private String run(Contestant contestant) {
        PrintStream before = System.out;
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        // What JMH passes on from its JVMs is of interest only when one fails.
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

    /** JMH hides what a benchmark threw among what it suppressed. */
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
        return Table.text("%.1f ns", score);
    }

    private Options options(Contestant contestant) {
        TimeValue time = TimeValue.milliseconds(pace.iterationTime().toMillis());
        return new OptionsBuilder()
                .include("^" + Pattern.quote(contestant.benchmark()) + "$")
                .mode(Mode.AverageTime)
                .timeUnit(TimeUnit.NANOSECONDS)
                .forks(1)
                .warmupIterations(pace.iterations())
                .warmupTime(time)
                .measurementIterations(pace.iterations())
                .measurementTime(time)
                .addProfiler(GCProfiler.class)
                .shouldFailOnError(true)
                .verbosity(VerboseMode.SILENT)
                // A heap touched from the start: else who allocates is measured by how fast the kernel gives memory.
                .jvmArgs("-XX:+UseParallelGC", "-XX:+AlwaysPreTouch", "-Xms128m", "-Xmx128m", "-Xmn64m", sentinelLog())
                .build();
    }

    /** Sentinel would log into the user's home. */
    private static String sentinelLog() {
        return "-Dcsp.sentinel.log.dir=" + Path.of(System.getProperty("java.io.tmpdir"), "sluice-bench-sentinel");
    }

    private static String shortName(Contestant contestant) {
        return contestant.benchmark().replaceFirst(".*\\.(.*\\.)", "$1");
    }

    /** The medians of a contestant. */
    Figure figure(Contestant contestant) {
        return new Figure(contestant.who(), median(ns.get(contestant)), median(bytes.get(contestant)));
    }

    private static @Nullable Double median(@Nullable List<Double> samples) {
        return samples == null ? null : Median.of(samples);
    }

    /** Whether there was one that failed. */
    boolean failed() {
        return failed;
    }
}
