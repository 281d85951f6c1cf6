package io.sluice.policy;

import io.sluice.TimeSource;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/*
 * The file is read five times a second and compared: that works the same for files that are edited, replaced, or mounted
 * and swapped by symbolic links, and sees a change of the same size within one tick of the file system's clock. It counts
 * when it was found twice in a row, so a file that is being written is not taken for a whole one.
 */
/** Watches a file of policies, and has it put in force when it changes. */
final class PolicyFileWatch implements AutoCloseable {
    private static final long EVERY_MICROS = 200_000;

    /** What is done with what the file says. */
    interface Reader {
        void replaced(Policies policies);

        void refused(PolicyException problems);
    }

    private final Path file;
    private final Executor worker;
    private final Reader reader;

    /** What was found last; null if nothing was. */
    private byte @Nullable [] seen;

    /** What was read last; null if the file was gone. */
    private byte @Nullable [] settled;

    private @Nullable Runnable cancel;
    private boolean closed;

    /**
     * @param read what the file said when its policies were put in force
     * @param worker where files are read
     */
    PolicyFileWatch(Path file, byte[] read, Executor worker, Reader reader) {
        this.file = file;
        this.worker = worker;
        this.reader = reader;
        seen = read;
        settled = read;
        schedule();
    }

    private synchronized void schedule() {
        if (!closed) {
            cancel = TimeSource.system().schedule(EVERY_MICROS, () -> worker.execute(this::look));
        }
    }

    private void look() {
        try {
            byte[] now = found();
            boolean found = Arrays.equals(now, seen) && !Arrays.equals(now, settled);
            seen = now;
            if (found) {
                read(now);
                settled = now;
            }
        } finally {
            schedule();
        }
    }

    private byte @Nullable [] found() {
        try {
            return Policies.read(file);
        } catch (IOException e) {
            return null;
        }
    }

    private void read(byte @Nullable [] bytes) {
        try {
            if (bytes == null) {
                String message = "cannot be read (expected: a file of policies)";
                throw new PolicyException(List.of(new Problem(Problem.Severity.ERROR, file.toString(), 1, 1, message)));
            }
            reader.replaced(Policies.parse(bytes, file.toString()));
        } catch (PolicyException e) {
            reader.refused(e);
        }
    }

    @Override
    public synchronized void close() {
        closed = true;
        if (cancel != null) {
            cancel.run();
        }
    }
}
