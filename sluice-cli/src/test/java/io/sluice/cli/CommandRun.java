package io.sluice.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.sluice.cli.console.Stdio;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.PrintStream;

/** The result of one run of the command in this process. */
public record CommandRun(int exitCode, String out, String err) {
    public static final String HEADER = "time_us,key,permits\n";
    public static final String DECISIONS =
            "time_us,key,permits,allowed,remaining,retry_after_us,delay_us,reset_after_us\n";

    public static CommandRun with(String input, String... args) {
        return with(new ByteArrayInputStream(input.getBytes(UTF_8)), args);
    }

    public static CommandRun with(InputStream input, String... args) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        int exitCode = run(new Stdio(input, out, new PrintStream(err, true, UTF_8), false), args);
        return new CommandRun(exitCode, out.toString(UTF_8), err.toString(UTF_8));
    }

    /** Runs the command on these streams and returns its exit code. */
    public static int run(Stdio stdio, String... args) {
        return Main.run(stdio, args);
    }

    /** Simulates these rows, given without their header, with the limit {@code 10/s}. */
    public static CommandRun rows(String rows) {
        return with(HEADER + rows, "simulate", "--limit", "10/s");
    }
}
