package io.sluice.cli.console;

import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.FilterInputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/**
 * The standard streams of one run.
 *
 * @param out unbuffered, and throws when its reader has gone, unlike {@link System#out}
 * @param watched whether a person looks at {@code err}, so that progress may be shown there
 */
public record Stdio(InputStream in, OutputStream out, PrintStream err, boolean watched) {

    /** The streams of this process; the launcher says whether standard error is a terminal. */
    public static Stdio ofProcess() {
        return new Stdio(
                new Piped(new FileInputStream(FileDescriptor.in)),
                new FileOutputStream(FileDescriptor.out),
                new PrintStream(new FileOutputStream(FileDescriptor.err), true, StandardCharsets.UTF_8),
                Boolean.getBoolean("sluice.stderr.tty"));
    }

    /** A file that is read by nothing but reading: its own way of reading many bytes asks for a position, which a pipe has not. */
    private static final class Piped extends FilterInputStream {
        Piped(FileInputStream in) {
            super(in);
        }
    }
}
