package io.sluice.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A program whose class path lacks what the server needs, as with the Netty of another platform. */
class IncompleteClassPathIT {
    private static final String NEEDED = "prometheus-metrics-exposition";

    /** A program that starts a server. */
    static final class Program {
        private Program() {}

        public static void main(String[] args) {
            SluiceServer.start(ServerConfig.builder().port(0).respPort(0).build());
        }
    }

    @Test
    void program_ends_becauseNoThreadOfTheServerIsLeft(@TempDir Path directory) throws Exception {
        String classPath = Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(entry -> !entry.contains(NEEDED))
                .collect(Collectors.joining(File.pathSeparator));
        assertThat(System.getProperty("java.class.path")).contains(NEEDED);
        Path output = directory.resolve("output");
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        classPath,
                        Program.class.getName())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();

        boolean ended = process.waitFor(1, TimeUnit.MINUTES);
        process.destroyForcibly().waitFor();

        assertThat(ended).as(Files.readString(output)).isTrue();
        assertThat(process.exitValue()).isEqualTo(1);
        assertThat(Files.readString(output)).contains("NoClassDefFoundError: io/prometheus");
    }
}
