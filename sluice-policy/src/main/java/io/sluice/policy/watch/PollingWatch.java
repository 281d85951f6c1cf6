package io.sluice.policy.watch;

import io.sluice.TimeSource;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/*
 * The source is read five times a second and compared. This works for files that are edited or replaced, and for
 * mounted files that are swapped by symbolic links. It also sees a change of the same size within one tick of the file
 * system's clock. A change counts only when two reads in a row find it, so a file that is still being written is not
 * taken as complete.
 */
/** Reads a source again and again, and reports each change. */
public final class PollingWatch<T> implements AutoCloseable {
    private static final long INTERVAL_MICROS = 200_000;

    private final Supplier<T> source;
    private final Executor worker;
    private final Consumer<T> changed;

    /** The value of the last read. */
    private T lastRead;

    /** The value that was reported last. */
    private T reported;

    private @Nullable Runnable cancel;
    private boolean closed;

    /**
     * Starts to watch.
     *
     * @param source reads the value; equal values mean no change
     * @param known the value that the caller has read before
     * @param worker the thread that reads
     * @param changed is called with each new value
     */
    public PollingWatch(Supplier<T> source, T known, Executor worker, Consumer<T> changed) {
        this.source = source;
        this.worker = worker;
        this.changed = changed;
        lastRead = known;
        reported = known;
        schedule();
    }

    private synchronized void schedule() {
        if (!closed) {
            cancel = TimeSource.system().schedule(INTERVAL_MICROS, () -> worker.execute(this::poll));
        }
    }

    private void poll() {
        try {
            T now = source.get();
            boolean isNew = now.equals(lastRead) && !now.equals(reported);
            lastRead = now;
            if (isNew) {
                changed.accept(now);
                reported = now;
            }
        } finally {
            schedule();
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
