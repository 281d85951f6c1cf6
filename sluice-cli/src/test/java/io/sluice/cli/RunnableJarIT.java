package io.sluice.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.cli.simulate.RandomTrace;
import io.sluice.testkit.redis.RedisProcess;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The runnable jar in its own process. */
class RunnableJarIT {
    private static final int TERMINATED = 128 + 15;

    private static RedisProcess redis;

    @TempDir
    Path directory;

    @BeforeAll
    static void startRedis() {
        redis = RedisProcess.start();
    }

    @AfterAll
    static void endRedis() {
        redis.close();
    }

    private Process start(List<String> jvmOptions, String... args) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(jvmOptions);
        command.addAll(List.of("-jar", Path.of("target", "sluice.jar").toString(), "simulate", "--limit", "10/s"));
        command.addAll(List.of(args));
        return new ProcessBuilder(command)
                .redirectError(directory.resolve("err").toFile())
                .start();
    }

    private Process onRedis() throws IOException {
        return start(List.of(), "--store", redis.uri());
    }

    private void assertEnds(Process process, int exitCode) throws IOException, InterruptedException {
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).isEqualTo(exitCode);
        assertThat(directory.resolve("err")).isEmptyFile();
    }

    @Test
    void jar_decidesInRedis_withoutAWordOnStandardError() throws Exception {
        Process process = onRedis();
        try (OutputStream in = process.getOutputStream()) {
            in.write((CommandRun.HEADER + "5,a,1\n").getBytes(UTF_8));
        }

        assertThat(new String(process.getInputStream().readAllBytes(), UTF_8))
                .isEqualTo(CommandRun.DECISIONS + "5,a,1,true,9,0,0,100000\n");
        assertEnds(process, 0);
    }

    @Test
    void jar_onMemory_loadsNothingOfRedis() throws Exception {
        Path classes = directory.resolve("classes");
        Process process = start(List.of("-Xlog:class+load:file=" + classes));
        try (OutputStream in = process.getOutputStream()) {
            in.write((CommandRun.HEADER + "5,a,1\n").getBytes(UTF_8));
        }

        assertEnds(process, 0);
        assertThat(Files.readString(classes))
                .contains("io.sluice.server.simulate.decide.MemoryRunner")
                .doesNotContain("io.lettuce", "io.netty", "io.sluice.redis", "java.util.logging.LogManager");
    }

    @Test
    void run_thatIsTerminatedWhileItWaits_leavesNothing() throws Exception {
        Process process = onRedis();
        OutputStream in = process.getOutputStream();
        in.write((CommandRun.HEADER + "5,a,1\n").getBytes(UTF_8));
        in.flush();
        BufferedReader out = process.inputReader(UTF_8);
        out.readLine();
        assertThat(out.readLine()).isEqualTo("5,a,1,true,9,0,0,100000");
        assertThat(redis.command("DBSIZE")).isNotEqualTo("0");

        process.toHandle().destroy();

        assertEnds(process, TERMINATED);
        assertThat(redis.command("DBSIZE")).isEqualTo("0");
    }

    @Test
    void run_thatIsTerminatedAtFullSpeed_leavesNothing() throws Exception {
        Path trace = Files.writeString(directory.resolve("trace"), RandomTrace.of(1, 1_000_000));
        Process process = start(List.of(), "--store", redis.uri(), trace.toString());
        BufferedReader out = process.inputReader(UTF_8);
        for (int i = 0; i < 20_000; i++) {
            out.readLine();
        }

        process.toHandle().destroy();

        while (out.readLine() != null) {
            // Otherwise the process could not write, and would wait forever.
        }
        assertEnds(process, TERMINATED);
        assertThat(redis.command("DBSIZE")).isEqualTo("0");
    }
}
