package io.sluice.cli.image;

import io.sluice.cli.console.RunFailedException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/** Runs programs of this machine. */
final class Tool {
    private Tool() {}

    /**
     * A program with an environment that is the same everywhere: no option of the user reaches it.
     *
     * @param directory the working directory
     */
    static ProcessBuilder prepare(Path directory, List<String> command) {
        ProcessBuilder builder = new ProcessBuilder(command).directory(directory.toFile());
        String path = System.getenv().getOrDefault("PATH", "/usr/bin:/bin");
        builder.environment().clear();
        builder.environment().put("PATH", path);
        builder.environment().put("LC_ALL", "C.UTF-8");
        return builder;
    }

    /** Runs a program to its end and returns what it printed. */
    static String run(Path directory, List<String> command) throws IOException, InterruptedException {
        Process process = prepare(directory, command).redirectErrorStream(true).start();
        process.getOutputStream().close();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        int code = process.waitFor();
        if (code != 0) {
            throw new RunFailedException(
                    Path.of(command.get(0)).getFileName() + " failed with exit code " + code + ": " + output.strip());
        }
        return output;
    }
}
