package io.sluice.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.PrintStream;

/** A run of the command in this process, and what came of it. */
record Ran(int exitCode, String out, String err) {
    static final String HEADER = "time_us,key,permits\n";
    static final String DECISIONS = "time_us,key,permits,allowed,remaining,retry_after_us,delay_us,reset_after_us\n";

    static Ran with(String input, String... args) {
        return with(new ByteArrayInputStream(input.getBytes(UTF_8)), args);
    }

    static Ran with(InputStream input, String... args) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        int exitCode = Main.run(new Stdio(input, out, new PrintStream(err, true, UTF_8), false), args);
        return new Ran(exitCode, out.toString(UTF_8), err.toString(UTF_8));
    }

    /** Decides these rows, which come without header, by {@code 10/s}. */
    static Ran rows(String rows) {
        return with(HEADER + rows, "simulate", "--limit", "10/s");
    }
}
