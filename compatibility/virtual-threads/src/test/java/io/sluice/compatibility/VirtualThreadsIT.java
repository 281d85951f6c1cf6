package io.sluice.compatibility;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.testkit.redis.RedisProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs {@link VirtualThreads} on every Java from 21 on that this machine has, whatever Java the build runs on.
 *
 * <p>On Java 21 to 23 it proves that no call parks inside a {@code synchronized} block, nor in native code or in the
 * initializer of a class. Since Java 24 a monitor pins nothing any more (JEP 491). There it proves the rest.
 */
class VirtualThreadsIT {
    /** Only for what hangs. */
    private static final long PATIENCE_SECONDS = 180;

    @Test
    void calls_ofVirtualThreads_pinNoCarrier(@TempDir Path directory) throws Exception {
        Collection<Jdk> found = Jdk.withVirtualThreads();
        if (found.isEmpty()) {
            String reason = "skipped: no Java 21 or newer in JAVA_HOME_21 or newer variables, nor in /usr/lib/jvm";
            System.out.println("[WARNING] compatibility/virtual-threads " + reason);
            Assumptions.abort(reason);
        }
        try (RedisProcess redis = RedisProcess.start()) {
            for (Jdk jdk : found) {
                run(jdk, redis, directory);
            }
        }
    }

    private static void run(Jdk jdk, RedisProcess redis, Path directory) throws IOException, InterruptedException {
        Path output = directory.resolve(jdk.version() + ".log");
        Process process = new ProcessBuilder(
                        jdk.home().resolve("bin/java").toString(),
                        "-Xmx512m",
                        "-cp",
                        System.getProperty("java.class.path"),
                        VirtualThreads.class.getName(),
                        redis.uri(),
                        directory.resolve(jdk.version() + ".jfr").toString())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        boolean ended = process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS);
        process.destroyForcibly().waitFor();
        assertThat(ended)
                .as("%s: it ends. If not, pinned threads may hold all carriers. %s", jdk, Files.readString(output))
                .isTrue();
        assertThat(process.exitValue())
                .as("%s: %s", jdk, Files.readString(output))
                .isZero();
        assertThat(Files.readString(output)).as(jdk.toString()).contains(VirtualThreads.PASSED);
        System.out.println("[INFO] " + jdk + ": " + VirtualThreads.PASSED);
    }
}
