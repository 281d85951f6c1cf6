package io.sluice.benchmarks.redis;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.lettuce.core.RedisURI;
import java.io.File;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Redis's own benchmark, calling a script: one decision on any of 1,000 keys in each call.
 *
 * @param command the executable
 * @param digest of a script that takes a key and no arguments
 * @param key the keys, in which {@code __rand_int__} stands for the number
 */
record RedisBenchmark(Path command, Redis redis, int clients, String digest, String key) implements Load {
    static final String NAME = "redis-benchmark";

    /** It is told how often to call, not for how long: about what Redis can do. */
    private static final long CALLS_PER_SECOND = 30_000;

    /** Where it is installed, if it is. */
    static Optional<Path> find() {
        return Arrays.stream(System.getenv().getOrDefault("PATH", "").split(Pattern.quote(File.pathSeparator), -1))
                .filter(directory -> !directory.isEmpty())
                .map(directory -> Path.of(directory, NAME))
                .filter(Files::isExecutable)
                .findFirst();
    }

    @Override
    public Sample run(Duration time) throws InterruptedException {
        long calls = CALLS_PER_SECOND * time.toMillis() / 1000;
        try {
            Process process = new ProcessBuilder(words(calls))
                    .redirectError(Redirect.INHERIT)
                    .start();
            String printed = new String(process.getInputStream().readAllBytes(), UTF_8);
            if (process.waitFor() != 0) {
                throw new IllegalStateException(
                        NAME + ": exit code " + process.exitValue() + " (expected: 0)\n" + printed);
            }
            return sample(calls, printed);
        } catch (IOException e) {
            throw new IllegalStateException(NAME + ": " + e.getMessage(), e);
        }
    }

    private List<String> words(long calls) {
        RedisURI uri = redis.parsedUri();
        List<String> words = new ArrayList<>(List.of(command.toString()));
        words.addAll(List.of("-h", uri.getHost(), "-p", Integer.toString(uri.getPort())));
        words.addAll(List.of("--dbnum", Integer.toString(uri.getDatabase())));
        redis.user().ifPresent(user -> words.addAll(List.of("--user", user)));
        redis.password().ifPresent(password -> words.addAll(List.of("-a", password)));
        if (uri.isSsl()) {
            words.add("--tls");
        }
        words.addAll(List.of("-c", Integer.toString(clients), "-n", Long.toString(calls), "-r", "1000", "--csv"));
        words.addAll(List.of("EVALSHA", digest, "1", key));
        return words;
    }

    /** @param printed a header since Redis 6.2, then one line: what, calls in a second and, since 6.2, milliseconds */
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
