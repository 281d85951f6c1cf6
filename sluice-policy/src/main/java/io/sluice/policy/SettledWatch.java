package io.sluice.policy;

import io.sluice.TimeSource;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/*
 * What is watched is read five times a second and compared: that works the same for files that are edited, replaced, or
 * mounted and swapped by symbolic links, and sees a change of the same size within one tick of the file system's clock. It
 * counts when it was found twice in a row, so a file that is being written is not taken for a whole one.
 */
/** Reads something over and over, and tells when it has changed. */
final class SettledWatch<T> implements AutoCloseable {
    private static final long EVERY_MICROS = 200_000;

    private final Supplier<T> source;
    private final Executor worker;
    private final Consumer<T> changed;

    /** What was found last. */
    private T seen;

    /** What was told last. */
    private T settled;

    private @Nullable Runnable cancel;
    private boolean closed;

    /**
     * @param source what is watched; equal if nothing has changed
     * @param known what it was when it was read before
     * @param worker where it is read
     */
    SettledWatch(Supplier<T> source, T known, Executor worker, Consumer<T> changed) {
        this.source = source;
        this.worker = worker;
        this.changed = changed;
        seen = known;
        settled = known;
        schedule();
    }

    private synchronized void schedule() {
        if (!closed) {
            cancel = TimeSource.system().schedule(EVERY_MICROS, () -> worker.execute(this::look));
        }
    }

    private void look() {
        try {
            T now = source.get();
            boolean found = now.equals(seen) && !now.equals(settled);
            seen = now;
            if (found) {
                changed.accept(now);
                settled = now;
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
