package io.sluice.benchmarks;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;

/** The result of one run of the command in this process. */
record CommandRun(int exitCode, String out, String err) {
    static CommandRun with(String... args) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        PrintStream before = System.err;
        System.setErr(new PrintStream(err, true, UTF_8));
        try {
            int exitCode = Main.run(new PrintStream(out, true, UTF_8), args);
            return new CommandRun(exitCode, out.toString(UTF_8), err.toString(UTF_8));
        } finally {
            System.setErr(before);
        }
    }
}
