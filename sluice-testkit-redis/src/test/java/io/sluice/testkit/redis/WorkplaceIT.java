package io.sluice.testkit.redis;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a JVM started ends with it, however it ends. */
class WorkplaceIT {
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void jvm_whenKilled_leavesNothing(boolean forcibly) throws Exception {
        Process jvm = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Abandoner.class.getName())
                .redirectError(Redirect.INHERIT)
                .start();
        try (BufferedReader out = new BufferedReader(new InputStreamReader(jvm.getInputStream(), UTF_8))) {
            long pid = Long.parseLong(out.readLine());
            Path root = Path.of(out.readLine());
            assertThat(ProcessHandle.of(pid)).isPresent();
            if (forcibly) {
                jvm.destroyForcibly();
            } else {
                jvm.destroy();
            }
            Await.until(
                    () -> "nothing is left of " + pid + " and " + root,
                    () -> ProcessHandle.of(pid).isEmpty() && !Files.exists(root));
        } finally {
            jvm.destroyForcibly();
        }
    }

    /** Starts a server, says where, and forgets it. */
    static final class Abandoner {
        public static void main(String[] arguments) throws InterruptedException {
            RedisProcess redis = RedisProcess.start();
            System.out.println(redis.pid());
            System.out.println(Workplace.ROOT);
            Thread.currentThread().join();
        }
    }
}
