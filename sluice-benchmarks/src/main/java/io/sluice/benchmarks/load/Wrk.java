package io.sluice.benchmarks.load;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A load of HTTP requests by wrk, on one thread.
 *
 * @param command the executable
 * @param script the Lua script with the requests
 */
public record Wrk(Path command, Path script, int connections, String uri) implements Load {
    public static final String NAME = "wrk";

    private static final Pattern RATE = Pattern.compile("Requests/sec:\\s+([0-9.]+)");
    private static final Pattern TOTAL = Pattern.compile("(\\d+) requests in ");
    private static final Pattern P99 = Pattern.compile("99%\\s+([0-9.]+)(us|ms|s)\\b");
    private static final Pattern WRONG = Pattern.compile("Non-2xx or 3xx responses: \\d+|Socket errors: .*");

    @Override
    public Sample run(Duration time) throws InterruptedException {
        // wrk accepts only whole seconds.
        long seconds = Math.max(1, Math.round(time.toMillis() / 1000.0));
        return sample(Executables.run(
                NAME,
                List.of(
                        command.toString(),
                        "-t1",
                        "-c" + connections,
                        "-d" + seconds,
                        "--latency",
                        "-s",
                        script.toString(),
                        uri)));
    }

    static Sample sample(String printed) {
        Matcher wrong = WRONG.matcher(printed);
        if (wrong.find()) {
            throw new IllegalStateException(NAME + ": " + wrong.group() + " (expected: all answered with 200)");
        }
        double perSecond = Double.parseDouble(first(RATE, printed, 1));
        long calls = Long.parseLong(first(TOTAL, printed, 1));
        double p99 = Double.parseDouble(first(P99, printed, 1));
        double micros = switch (first(P99, printed, 2)) {
            case "us" -> p99;
            case "ms" -> p99 * 1000;
            default -> p99 * 1_000_000;
        };
        return new Sample(calls, Math.round(calls * 1e9 / perSecond), micros);
    }

    private static String first(Pattern pattern, String printed, int group) {
        Matcher found = pattern.matcher(printed);
        if (!found.find()) {
            throw new IllegalStateException(NAME + " printed \"" + printed.strip() + "\" (expected: " + pattern + ")");
        }
        return found.group(group);
    }
}
