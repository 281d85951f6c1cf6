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
 * @param out standard output, unbuffered; unlike {@link System#out} it throws when its reader has closed it
 * @param errIsTerminal whether {@code err} is a terminal, where progress may be shown
 */
public record Stdio(InputStream in, OutputStream out, PrintStream err, boolean errIsTerminal) {

    /** The streams of this process. The launcher passes on whether standard error is a terminal. */
    public static Stdio ofProcess() {
        return new Stdio(
                new Pipe(new FileInputStream(FileDescriptor.in)),
                new FileOutputStream(FileDescriptor.out),
                new PrintStream(new FileOutputStream(FileDescriptor.err), true, StandardCharsets.UTF_8),
                Boolean.getBoolean("sluice.stderr.tty"));
    }

    /** Hides that the input is a file: {@link FileInputStream#readNBytes} asks for a position, which a pipe does not have. */
    private static final class Pipe extends FilterInputStream {
        Pipe(FileInputStream in) {
            super(in);
        }
    }
}
