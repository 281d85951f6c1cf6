package io.sluice.benchmarks.local;

import io.sluice.benchmarks.common.JavaProcess;
import io.sluice.benchmarks.common.Median;
import io.sluice.benchmarks.common.ProgressLog;
import java.io.BufferedWriter;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Measures the command {@code sluice simulate} on a large file, with the start of its JVM. */
final class SimulateBenchmark {
    static final String NAME = "simulate";

    private static final int ROWS = 2_000_000;
    private static final int KEYS = 1000;

    private SimulateBenchmark() {}

    static LocalResult measure(JmhPlan plan, ProgressLog progress) throws IOException, InterruptedException {
        Path trace = Files.createTempFile("sluice-bench-", ".csv");
        try {
            write(trace);
            List<Double> ns = new ArrayList<>();
            for (int round = 0; round < Math.max(1, plan.rounds() / 2); round++) {
                ns.add(nsForRow(trace));
                progress.log(String.format("%s: %.0f ns per row", NAME, ns.get(round)));
            }
            return new LocalResult(NAME, new LocalMeasurement("Sluice", Median.of(ns), null), List.of());
        } finally {
            Files.delete(trace);
        }
    }

    private static double nsForRow(Path trace) throws IOException, InterruptedException {
        long start = System.nanoTime();
        Process process = JavaProcess.of(
                        List.of("-XX:+UseSerialGC", "-XX:-UsePerfData"), // as ./sluice does
                        io.sluice.cli.Main.class,
                        "simulate",
                        "--limit",
                        "token-bucket 10/s burst 20",
                        trace.toString())
                .redirectOutput(Redirect.DISCARD)
                .start();
        JavaProcess.await(process, NAME);
        return (System.nanoTime() - start) / (double) ROWS;
    }

    /** Writes about 15 requests per second for each key, so that a third is denied. */
    private static void write(Path trace) throws IOException {
        Random random = new Random(1);
        long micros = 1_700_000_000_000_000L;
        try (BufferedWriter out = Files.newBufferedWriter(trace)) {
            out.write("time_us,key,permits\n");
            for (int i = 0; i < ROWS; i++) {
                micros += random.nextInt(133);
                out.write(micros + ",user-" + random.nextInt(KEYS) + ",1\n");
            }
        }
    }
}
