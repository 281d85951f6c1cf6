package io.sluice.cli.simulate;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.cli.CommandRun;
import io.sluice.cli.EmptyRedis;
import io.sluice.cli.console.Stdio;
import io.sluice.testkit.Vectors;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The output on Redis is byte for byte the same as in memory, and no keys remain. */
class SimulateRedisIT {
    @RegisterExtension
    static final EmptyRedis REDIS = new EmptyRedis();

    static List<String> names() {
        return Vectors.names();
    }

    private static String[] onRedis(String... args) {
        List<String> all = new ArrayList<>(Arrays.asList(args));
        all.addAll(List.of("--store", REDIS.uri()));
        return all.toArray(String[]::new);
    }

    private static void assertSameAsOnMemory(String trace, String... args) {
        CommandRun onMemory = CommandRun.with(trace, args);

        assertThat(CommandRun.with(trace, onRedis(args))).isEqualTo(onMemory);
        assertThat(onMemory.exitCode()).isZero();
    }

    @ParameterizedTest
    @MethodSource("names")
    void vector_isTheSameByteForByte(String name) {
        VectorFile vector = VectorFile.named(name);

        CommandRun ran = CommandRun.with(vector.trace(), onRedis("simulate", "--limit", vector.limit()));

        assertThat(ran).isEqualTo(new CommandRun(0, vector.decisions(), ""));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "10/s burst 20",
                "999983/s burst 50",
                "2 per 5s burst 10 refill interval",
                "leaky-bucket 3/s capacity 7",
                "fixed-window 5 per 1s",
                "fixed-window 5 per 1h from-first lockout 10s",
                "sliding-log 5 per 1m lockout 5m",
                "sliding-log 20000 per 1d",
                "sliding-counter 7 per 1s slots 4",
                "1 per 365d burst 3",
                "unlimited",
                "blocked"
            })
    void trace_thatIsRandom_isDecidedAsOnMemory(String limit) {
        assertSameAsOnMemory(RandomTrace.of(limit.hashCode(), 12_000), "simulate", "--limit", limit);
    }

    /** Times around 52124 days, the longest possible debt at 1/d; around 2^52; and at the end of time. */
    @ParameterizedTest
    @ValueSource(longs = {4_503_513_600_000_000L, 1L << 52, (1L << 52) + 86_400_000_000L, (1L << 53) - 3})
    void times_thatAreLate_areDecidedAsOnMemory(long late) {
        StringBuilder trace = new StringBuilder(CommandRun.HEADER);
        for (long time : new long[] {late - 5, late - 1, late, late + 1, late + 2}) {
            trace.append((time + ",a,1\n").repeat(3)).append(time).append(",b,0\n");
        }
        String rows = trace.toString();

        for (String from : new String[] {"", "0,a,3\n", "0,a,3\n2251799813685248,b,1\n2251799813685249,b,1\n"}) {
            assertSameAsOnMemory(
                    rows.replace(CommandRun.HEADER, CommandRun.HEADER + from),
                    "simulate",
                    "--limit",
                    "7 per 3s burst 9 lockout 7ms",
                    "--limit",
                    "1 per 365d burst 142 refill interval",
                    "--limit",
                    "leaky-bucket 3/s capacity 7 lockout 5h",
                    "--limit",
                    "fixed-window 5 per 7m",
                    "--limit",
                    "fixed-window 5 per 365d from-first",
                    "--limit",
                    "sliding-log 5 per 7m lockout 365d",
                    "--limit",
                    "sliding-counter 7 per 7m slots 4");
        }
    }

    @Test
    void limits_thatAreSeveral_areDecidedAsOnMemory() {
        assertSameAsOnMemory(
                RandomTrace.of(7, 6_000),
                "simulate",
                "--limit",
                "10/s",
                "--limit",
                "sliding-log 5 per 1s lockout 2s",
                "--limit",
                "unlimited",
                "--limit",
                "10/sec",
                "--format",
                "json");
    }

    @Test
    void limits_thatAreMoreThanTheWindow_areDecidedAsOnMemory() {
        List<String> args = new ArrayList<>(List.of("simulate"));
        for (int i = 1; i <= 3000; i++) {
            args.addAll(List.of("--limit", i + "/s"));
        }

        assertSameAsOnMemory(CommandRun.HEADER + "0,a,1\n0,a,2\n5,b,1\n", args.toArray(String[]::new));
    }

    @Test
    void plot_isTheSame(@TempDir Path directory) throws IOException {
        Path onMemory = directory.resolve("memory.svg");
        Path onRedis = directory.resolve("redis.svg");
        String trace = RandomTrace.of(3, 2_000);

        CommandRun.with(trace, "simulate", "--limit", "10/s", "--plot", onMemory.toString());
        CommandRun.with(trace, onRedis("simulate", "--limit", "10/s", "--plot", onRedis.toString()));

        assertThat(onRedis).hasSameBinaryContentAs(onMemory);
        assertThat(Files.size(onRedis)).isPositive();
    }

    @Test
    void row_thatIsBad_isRefusedAfterAllBeforeItWereWritten() {
        String trace = CommandRun.HEADER + "5,a,1\n".repeat(5_000) + "oops\n5,a,1\n";

        assertThat(CommandRun.with(trace, onRedis("simulate", "--limit", "10/s")))
                .isEqualTo(CommandRun.with(trace, "simulate", "--limit", "10/s"))
                .returns(2, CommandRun::exitCode)
                .satisfies(ran -> assertThat(ran.out()).hasLineCount(5_001));
    }

    @Test
    void header_thatIsBad_isRefused() {
        assertThat(CommandRun.with("5,a,1\n", onRedis("simulate", "--limit", "10/s")))
                .isEqualTo(new CommandRun(
                        2,
                        "",
                        "sluice simulate: stdin, line 1: \"5,a,1\" (expected: the header time_us,key,permits)\n"));
    }

    @Test
    void decisions_areOutBeforeMoreInputIsAwaited() {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        List<Integer> linesSeen = new ArrayList<>();
        Runnable look = () -> linesSeen.add((int) out.toString(UTF_8).lines().count());
        ScriptedInput pipe = new ScriptedInput()
                .then(look)
                .then(CommandRun.HEADER)
                .then(look)
                .then("5,a,1\n")
                .then(look)
                .then("6,a,1\n6,a,1\n")
                .then(look);

        assertThat(run(pipe, out)).isZero();

        assertThat(linesSeen).containsExactly(0, 1, 2, 4);
    }

    @Test
    void reader_thatHasGone_endsTheRun() {
        InputStream rows = new ByteArrayInputStream((CommandRun.HEADER + "5,a,1\n".repeat(20_000)).getBytes(UTF_8));
        OutputStream gone = new OutputStream() {
            @Override
            public void write(int b) throws IOException {
                throw new IOException("Broken pipe");
            }
        };

        assertThat(run(rows, gone)).isEqualTo(141);
    }

    private static int run(InputStream in, OutputStream out) {
        Stdio stdio = new Stdio(in, out, new PrintStream(OutputStream.nullOutputStream(), true, UTF_8), false);
        return CommandRun.run(stdio, onRedis("simulate", "--limit", "10/s"));
    }
}
