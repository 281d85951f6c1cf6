package io.sluice.benchmarks.common;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Starts a child JVM with the Java version and the class path of this one. */
public final class JavaProcess {
    private JavaProcess() {}

    /** A process builder for a JVM that runs a main class. */
    public static ProcessBuilder of(List<String> jvmArguments, Class<?> main, String... arguments) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(jvmArguments);
        command.add("-cp");
        command.add(System.getProperty("java.class.path"));
        command.add(main.getName());
        command.addAll(List.of(arguments));
        return new ProcessBuilder(command).redirectError(Redirect.INHERIT);
    }

    /** Waits for the end of a process and fails unless its exit code is 0. */
    public static void await(Process process, String what) throws IOException, InterruptedException {
        int code = process.waitFor();
        if (code != 0) {
            throw new IOException(what + ": exit code " + code + " (expected: 0)");
        }
    }
}
