package io.sluice.redis;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.testkit.redis.RedisProcess;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests that a stall of the process, longer than the deadline, does not count as a slow Redis. */
@Timeout(120)
class StalledProcessIT {
    private static final int STOPS = 3;

    @Test
    void stoppedAndContinued_underLoad_everyCallIsDecidedByRedis() throws Exception {
        try (RedisProcess redis = RedisProcess.start()) {
            Process process = new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "-Xmx128m",
                            "-cp",
                            System.getProperty("java.class.path"),
                            StalledProcess.class.getName(),
                            redis.uri())
                    .redirectError(Redirect.INHERIT)
                    .start();
            try (BufferedReader out = new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8))) {
                assertThat(out.readLine()).isEqualTo("warm");
                for (int i = 0; i < STOPS; i++) {
                    signal(process, "STOP");
                    // These times are the fault itself: to stand still for two deadlines, then to run for one.
                    TimeUnit.MILLISECONDS.sleep(2 * StalledProcess.DEADLINE_MILLIS);
                    signal(process, "CONT");
                    TimeUnit.MILLISECONDS.sleep(StalledProcess.DEADLINE_MILLIS);
                }
                process.getOutputStream().close();
                assertThat(out.readLine()).isEqualTo("degraded 0");
            } finally {
                process.destroyForcibly().waitFor();
            }
        }
    }

    private static void signal(Process process, String signal) throws IOException, InterruptedException {
        Process kill = new ProcessBuilder("kill", "-" + signal, Long.toString(process.pid())).start();
        assertThat(kill.waitFor()).isZero();
    }
}
