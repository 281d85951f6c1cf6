package io.sluice.cli;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Writes policy files, and the input and output lines of {@code simulate --config}. */
public final class PolicyFixtures {
    private PolicyFixtures() {}

    /** Writes a policy file. Each policy begins with a dash. */
    public static Path file(Path directory, String name, String policies) {
        try {
            return Files.writeString(directory.resolve(name), "version: 1\npolicies:\n" + policies);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Runs {@code simulate --config} on these lines. */
    public static CommandRun simulate(Path file, String lines, String... more) {
        List<String> args = new ArrayList<>(List.of("simulate", "--config", file.toString()));
        args.addAll(Arrays.asList(more));
        return CommandRun.with(lines, args.toArray(String[]::new));
    }

    /** A line of requests.jsonl, with attributes such as {@code tenant=acme}. */
    public static String request(long time, long permits, String... attributes) {
        return "{\"time_us\":" + time + ",\"attributes\":{" + pairs(attributes) + "},\"permits\":" + permits + "}\n";
    }

    private static String pairs(String... attributes) {
        List<String> pairs = new ArrayList<>();
        for (String attribute : attributes) {
            int equals = attribute.indexOf('=');
            pairs.add("\"" + attribute.substring(0, equals) + "\":\"" + attribute.substring(equals + 1) + "\"");
        }
        return String.join(",", pairs);
    }

    /** A line of decisions.jsonl. Spaces separate the violated policies. */
    public static String line(
            long time, boolean allowed, long retryAfter, long delay, String violated, String... results) {
        String names = violated.isEmpty() ? "" : "\"" + violated.replace(" ", "\",\"") + "\"";
        return "{\"time_us\":" + time + ",\"allowed\":" + allowed + ",\"retry_after_us\":" + retryAfter
                + ",\"delay_us\":" + delay + ",\"violated\":[" + names + "],\"results\":["
                + String.join(",", results) + "]}\n";
    }

    /**
     * The result of an enforcing policy.
     *
     * @param bucket the policy's name and key, as in {@code per-tenant tenant=acme}
     * @param numbers remaining, retry after, delay, reset after
     */
    public static String result(String bucket, String limit, boolean allowed, long... numbers) {
        return result(bucket, limit, "enforce", allowed, numbers);
    }

    public static String result(String bucket, String limit, String mode, boolean allowed, long... numbers) {
        String[] parts = bucket.split(" ", -1);
        return "{\"policy\":\"" + parts[0] + "\",\"key\":{" + pairs(Arrays.copyOfRange(parts, 1, parts.length))
                + "},\"limit\":\"" + limit + "\",\"mode\":\"" + mode + "\",\"allowed\":" + allowed
                + ",\"remaining\":" + numbers[0] + ",\"retry_after_us\":" + numbers[1] + ",\"delay_us\":" + numbers[2]
                + ",\"reset_after_us\":" + numbers[3] + "}";
    }
}
