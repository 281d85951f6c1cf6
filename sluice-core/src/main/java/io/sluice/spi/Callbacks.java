package io.sluice.spi;

import io.sluice.TimeSource;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;

/** Runs callbacks on the executor of a user. */
public final class Callbacks {
    private Callbacks() {}

    /**
     * Runs a callback once, on the executor. If the executor refuses it, for example because it was shut down, the timer thread runs
     * it, so that no caller waits for ever.
     *
     * @param callback must not throw
     */
    public static void run(Executor executor, Runnable callback) {
        AtomicBoolean begun = new AtomicBoolean();
        Runnable once = () -> {
            if (begun.compareAndSet(false, true)) {
                callback.run();
            }
        };
        try {
            executor.execute(once);
        } catch (RuntimeException | Error refused) {
            TimeSource.system().schedule(0, once);
        }
    }
}
