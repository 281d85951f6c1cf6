package io.sluice.benchmarks.server;

import io.sluice.benchmarks.load.Executables;
import io.sluice.benchmarks.load.Load;
import io.sluice.benchmarks.load.Sample;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A load of gRPC calls by h2load, on one thread.
 *
 * @param command the executable
 * @param message the message to send, with the gRPC frame
 */
record H2Load(Path command, Path message, int connections, int streams, String uri) implements Load {
    static final String NAME = "h2load";

    private static final Pattern RATE = Pattern.compile("finished in .*?, ([0-9.]+) req/s");
    private static final Pattern DONE = Pattern.compile("(\\d+) succeeded, (\\d+) failed, (\\d+) errored");

    @Override
    public Sample run(Duration time) throws InterruptedException {
        long seconds = Math.max(1, Math.round(time.toMillis() / 1000.0));
        return sample(Executables.run(
                NAME,
                List.of(
                        command.toString(),
                        "-c" + connections,
                        "-m" + streams,
                        "-D" + seconds,
                        "-H",
                        "content-type: application/grpc",
                        "-H",
                        "te: trailers",
                        "-d",
                        message.toString(),
                        uri)));
    }

    /** Parses the output. h2load does not print the 99th percentile. */
    static Sample sample(String printed) {
        Matcher rate = RATE.matcher(printed);
        Matcher done = DONE.matcher(printed);
        if (!rate.find() || !done.find()) {
            throw new IllegalStateException(NAME + " printed \"" + printed.strip() + "\" (expected: its summary)");
        } else if (!done.group(2).equals("0") || !done.group(3).equals("0")) {
            throw new IllegalStateException(NAME + ": " + done.group() + " (expected: all succeeded)");
        }
        long calls = Long.parseLong(done.group(1));
        return new Sample(calls, Math.round(calls * 1e9 / Double.parseDouble(rate.group(1))), Double.NaN);
    }
}
