package io.sluice.benchmarks.load;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * A load by redis-benchmark, the benchmark tool of Redis.
 *
 * @param command the executable
 * @param server the options with the address of the server
 * @param keys the number of values of {@code __rand_int__}
 * @param aboutPerSecond the expected calls per second: redis-benchmark needs a number of calls, not a time
 * @param call the words of one call
 */
public record RedisBenchmark(
        Path command, List<String> server, int clients, int pipeline, int keys, long aboutPerSecond, List<String> call)
        implements Load {
    public static final String NAME = "redis-benchmark";

    @Override
    public Sample run(Duration time) throws InterruptedException {
        long calls = aboutPerSecond * time.toMillis() / 1000;
        return sample(calls, Executables.run(NAME, words(calls)));
    }

    private List<String> words(long calls) {
        List<String> words = new ArrayList<>(List.of(command.toString()));
        words.addAll(server);
        words.addAll(List.of("-c", Integer.toString(clients), "-P", Integer.toString(pipeline)));
        words.addAll(List.of("-n", Long.toString(calls), "-r", Integer.toString(keys), "--csv"));
        words.addAll(call);
        return words;
    }

    /** Parses the output: a header since Redis 6.2, then one line with calls per second and, since 6.2, milliseconds. */
    static Sample sample(long calls, String printed) {
        String line = printed.strip().lines().reduce("", (before, last) -> last);
        String[] fields = line.replaceFirst("^\"", "").replaceFirst("\"$", "").split("\",\"", -1);
        try {
            double perSecond = Double.parseDouble(fields[1]);
            double p99Millis = fields.length > 6 ? Double.parseDouble(fields[6]) : 0;
            return new Sample(calls, Math.round(calls * 1e9 / perSecond), p99Millis * 1000);
        } catch (RuntimeException e) {
            throw new IllegalStateException(NAME + " printed \"" + printed.strip() + "\" (expected: CSV)", e);
        }
    }
}
