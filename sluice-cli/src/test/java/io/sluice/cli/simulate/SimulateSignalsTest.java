package io.sluice.cli.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.cli.CommandRun;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Signals on request lines drive the policies that adapt, judged by a plain model of the rule. */
class SimulateSignalsTest {
    private static final long EVERY = 250_000;
    private static final long PERMITS = 1000;
    private static final Pattern LIMIT = Pattern.compile("\"limit\":\"fixed-window (\\d+)/h\"");

    @TempDir
    private Path directory;

    private CommandRun simulate(String input) throws IOException {
        Path file = directory.resolve("adapt.yaml");
        Files.writeString(file, """
                version: 1
                policies:
                  - name: p
                    limit: fixed-window 1000 per 1h
                    scope: process
                    adapt: { signal: cpu, above: 80%, below: 50%, down: 0.7, up: 1.1, between: [15%, 130%], every: 250ms }
                """);
        return CommandRun.with(input, "simulate", "--config", file.toString());
    }

    /** The rule as it is written: ticks one by one, and all values between two of them in a list. */
    private static final class Model {
        private BigDecimal factor = BigDecimal.ONE;
        private long tick = EVERY;
        private long cutAt = Long.MIN_VALUE / 2;
        private List<Double> values = new ArrayList<>();

        void advance(long now) {
            for (; tick <= now; tick += EVERY) {
                if (!values.isEmpty() && values.stream().allMatch(value -> value > 0.8)) {
                    factor = factor.multiply(new BigDecimal("0.7")).max(new BigDecimal("0.15"));
                    cutAt = tick;
                } else if (!values.isEmpty()
                        && values.stream().allMatch(value -> value < 0.5)
                        && tick - cutAt >= 3 * EVERY) {
                    factor = factor.multiply(new BigDecimal("1.1")).min(new BigDecimal("1.3"));
                }
                // The last value holds until the next.
                values = values.isEmpty() ? values : new ArrayList<>(List.of(values.get(values.size() - 1)));
                held = true;
            }
        }

        private boolean held;

        void value(double value) {
            if (held) {
                values.clear();
                held = false;
            }
            values.add(value);
        }

        long permits() {
            return Math.max(
                    1,
                    factor.multiply(BigDecimal.valueOf(PERMITS))
                            .setScale(0, RoundingMode.FLOOR)
                            .longValueExact());
        }
    }

    @Test
    void signals_driveTheLimits() throws IOException {
        for (int seed = 0; seed < 20; seed++) {
            Random random = new Random(seed);
            StringBuilder input = new StringBuilder();
            List<Long> expected = new ArrayList<>();
            Model model = new Model();
            long time = 0;
            for (int i = 0; i < 500; i++) {
                input.append("{\"time_us\":").append(time).append(",\"attributes\":{}");
                model.advance(time);
                if (random.nextInt(3) == 0) {
                    double value = List.of(0.2, 0.5, 0.6, 0.8, 0.9, 0.95).get(random.nextInt(6));
                    input.append(",\"signals\":{\"cpu\":").append(value).append(",\"other\":1e3}");
                    model.value(value);
                }
                input.append("}\n");
                expected.add(model.permits());
                time += random.nextBoolean() ? EVERY * random.nextInt(3) : random.nextInt(400_000);
            }
            CommandRun ran = simulate(input.toString());
            assertThat(ran.err()).isEmpty();
            List<Long> limits = new ArrayList<>();
            Matcher matcher = LIMIT.matcher(ran.out());
            while (matcher.find()) {
                limits.add(Long.valueOf(matcher.group(1)));
            }
            assertThat(limits).as("seed %d", seed).isEqualTo(expected);
        }
    }

    @Test
    void longPause_isQuick() throws IOException {
        CommandRun ran = simulate("""
                {"time_us":0,"attributes":{},"signals":{"cpu":0.9}}
                {"time_us":9000000000000000,"attributes":{}}
                """);
        assertThat(ran.out().lines().toList().get(1)).contains("fixed-window 150/h");
    }

    @Test
    void change_happensAtItsTick_notWithTheNextRequest() throws IOException {
        Path file = directory.resolve("bucket.yaml");
        Files.writeString(file, """
                version: 1
                policies:
                  - name: p
                    limit: 10/s burst 100
                    scope: process
                    adapt: { signal: cpu, down: 0.5, between: [50%, 100%] }
                """);
        CommandRun ran = CommandRun.with("""
                {"time_us":0,"attributes":{},"permits":100,"signals":{"cpu":0.9}}
                {"time_us":11000000,"attributes":{},"permits":0}
                """, "simulate", "--config", file.toString());
        // After the first second 90 are in use. Of the burst of 50, 40 are owed, and in ten seconds 50 come back.
        assertThat(ran.out().lines().toList().get(1)).contains("token-bucket 5/s burst 50", "\"remaining\":10,");
    }

    @Test
    void badSignals_areRefused() throws IOException {
        String[][] cases = {
            {"5", "column 40: signals is 5 (expected: an object such as {\"cpu\":0.85})"},
            {"{\"cpu\":\"high\"}", "column 47: signal \"cpu\" is \"high\" (expected: a number such as 0.85)"},
            {"{\"cpu\":null}", "column 47: signal \"cpu\" is null (expected: a number such as 0.85)"},
            {"{\"cpu\":1e999}", "column 47: signal \"cpu\" is 1e999 (expected: a number such as 0.85)"},
            {"{\"cpu\":1,\"cpu\":2}", "signal \"cpu\" a second time (expected: once)"},
        };
        for (String[] each : cases) {
            CommandRun ran = simulate("{\"time_us\":0,\"attributes\":{},\"signals\":" + each[0] + "}\n");
            assertThat(ran.exitCode()).isEqualTo(2);
            assertThat(ran.err()).contains("stdin, line 1, ").contains(each[1]);
        }
    }
}
