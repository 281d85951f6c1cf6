package io.sluice.testkit.redis;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.ProcessBuilder.Redirect;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a JVM started ends with it, however it ends. */
class WorkDirectoryIT {
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void jvm_whenKilled_leavesNoProcessAndNoFiles(boolean forcibly) throws Exception {
        Process jvm = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Abandoner.class.getName())
                .redirectError(Redirect.INHERIT)
                .start();
        try (BufferedReader out = new BufferedReader(new InputStreamReader(jvm.getInputStream(), UTF_8))) {
            int port = Integer.parseInt(out.readLine());
            Path root = Path.of(out.readLine());
            assertThat(listens(port)).isTrue();
            if (forcibly) {
                jvm.destroyForcibly();
            } else {
                jvm.destroy();
            }
            Await.until(
                    () -> "nothing is left at port " + port + " and in " + root,
                    () -> !listens(port) && !Files.exists(root));
        } finally {
            jvm.destroyForcibly();
        }
    }

    /** Not by its pid: where nobody adopts orphans, one that was killed keeps that. */
    private static boolean listens(int port) {
        try (Socket socket = new Socket(Ports.LOOPBACK, port)) {
            return socket.isConnected();
        } catch (IOException e) {
            return false;
        }
    }

    /** Starts a server, says where, and forgets it. */
    static final class Abandoner {
        public static void main(String[] arguments) throws InterruptedException {
            RedisProcess redis = RedisProcess.start();
            System.out.println(redis.port());
            System.out.println(WorkDirectory.ROOT);
            Thread.currentThread().join();
        }
    }
}
