package io.sluice.redis;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.testkit.redis.RedisCluster;
import io.sluice.testkit.redis.RedisProcess;
import io.sluice.testkit.redis.RedisSentinel;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Tests that the first call of a new process is counted, even while many other processes start. */
class ColdStartIT {
    /** More for a run by hand: {@code -Dsluice.cold.processes=200 -Dsluice.cold.together=8 -Dsluice.cold.wait=2}. */
    private static final int PROCESSES = Integer.getInteger("sluice.cold.processes", 24);

    private static final int TOGETHER = Integer.getInteger("sluice.cold.together", 4);
    private static final int FEW = 4;

    /** Long enough for any machine: the test is about waiting, not about the pace at which processes start. */
    private static final int WAIT_SECONDS = Integer.getInteger(ColdProcess.WAIT, 60);

    private static final int PATIENCE_SECONDS = 300;

    @Test
    void manyStarts_oneServer_keyIsAdmittedOnce() throws Exception {
        try (RedisProcess redis = RedisProcess.start()) {
            assertAdmittedOnce(PROCESSES, List.of(redis.uri()));
        }
    }

    @Test
    void manyStarts_sentinel_keyIsAdmittedOnce() throws Exception {
        try (RedisSentinel sentinel = RedisSentinel.start(1)) {
            assertAdmittedOnce(FEW, List.of(sentinel.uri()));
        }
    }

    @Test
    void manyStarts_cluster_keyIsAdmittedOnce() throws Exception {
        try (RedisCluster cluster = RedisCluster.start(3, 0)) {
            assertAdmittedOnce(FEW, cluster.uris());
        }
    }

    private static void assertAdmittedOnce(int processes, List<String> uris) throws Exception {
        List<String> told = told(processes, uris);
        List<String> expected = new ArrayList<>(Collections.nCopies(processes - 1, "denied"));
        expected.add("allowed");
        assertThat(told).containsExactlyInAnyOrderElementsOf(expected);
    }

    /** The answer to each process. */
    private static List<String> told(int processes, List<String> uris) throws Exception {
        ExecutorService starters = Executors.newFixedThreadPool(TOGETHER);
        try {
            List<Future<String>> answers = new ArrayList<>();
            for (int i = 0; i < processes; i++) {
                answers.add(starters.submit(() -> answer(uris)));
            }
            List<String> told = new ArrayList<>();
            for (Future<String> answer : answers) {
                told.add(answer.get());
            }
            return told;
        } finally {
            starters.shutdownNow();
            assertThat(starters.awaitTermination(PATIENCE_SECONDS, TimeUnit.SECONDS))
                    .isTrue();
        }
    }

    private static String answer(List<String> uris) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx128m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-D" + ColdProcess.WAIT + "=" + WAIT_SECONDS,
                "-cp",
                System.getProperty("java.class.path"),
                ColdProcess.class.getName()));
        command.addAll(uris);
        Process process =
                new ProcessBuilder(command).redirectError(Redirect.INHERIT).start();
        try {
            if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                return "process " + process.pid() + " does not end";
            }
            return new String(process.getInputStream().readAllBytes(), UTF_8).strip();
        } finally {
            process.destroyForcibly().waitFor();
        }
    }
}
