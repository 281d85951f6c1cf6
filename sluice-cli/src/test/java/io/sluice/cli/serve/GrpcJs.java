package io.sluice.cli.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.sluice.cli.CommandRun;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** Runs scripts with the gRPC client of Node.js, from {@code src/test/resources/grpc-js}. */
final class GrpcJs {
    private static final Path HOME = Path.of("target", "grpc-js");

    private record CommandRun(int status, String output) {}

    private GrpcJs() {}

    /** Runs a script and returns its output. Skips the test if npm is missing or cannot fetch the packages. */
    static String run(String script, String... arguments) throws IOException, InterruptedException {
        install();
        copy(script);
        List<String> command = new ArrayList<>(List.of("node", script));
        command.addAll(List.of(arguments));
        CommandRun ran = run(command);
        assertThat(ran.status).as(ran.output).isZero();
        return ran.output;
    }

    private static void install() throws IOException, InterruptedException {
        Files.createDirectories(HOME);
        copy("package.json");
        if (Files.exists(HOME.resolve("node_modules/@grpc/grpc-js/package.json"))) {
            return;
        }
        CommandRun npm;
        try {
            npm = run(List.of(
                    "npm", "install", "--no-audit", "--no-fund", "--no-package-lock", "--ignore-scripts", "--silent"));
        } catch (IOException e) {
            assumeTrue(false, "skipped: there is no npm on the PATH, and grpc-js comes with it: " + e.getMessage());
            return;
        }
        assumeTrue(npm.status == 0, () -> "skipped: npm could not fetch grpc-js: " + npm.output);
    }

    private static void copy(String name) throws IOException {
        try (InputStream in = Objects.requireNonNull(GrpcJs.class.getResourceAsStream("/grpc-js/" + name), name)) {
            Files.copy(in, HOME.resolve(name), StandardCopyOption.REPLACE_EXISTING);
        }
    }

    private static CommandRun run(List<String> command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command)
                .directory(HOME.toFile())
                .redirectErrorStream(true)
                .start();
        try (InputStream out = process.getInputStream()) {
            String output = new String(out.readAllBytes(), StandardCharsets.UTF_8).strip();
            return new CommandRun(process.waitFor(), output);
        } finally {
            process.destroyForcibly();
        }
    }
}
