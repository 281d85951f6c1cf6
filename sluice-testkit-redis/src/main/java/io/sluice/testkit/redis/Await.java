package io.sluice.testkit.redis;

import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Waits for other processes. This is the only class of the module that waits in real time. */
final class Await {
    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    private Await() {}

    /**
     * Returns as soon as the condition holds. If a server cannot be reached or refuses, the condition does not hold yet.
     *
     * @param what the end of the sentence "waited in vain until ..."
     * @throws IllegalStateException if it does not hold within 30 seconds, or the thread is interrupted
     */
    static void until(Supplier<String> what, BooleanSupplier condition) {
        long start = System.nanoTime();
        while (true) {
            RuntimeException trouble = null;
            try {
                if (condition.getAsBoolean()) {
                    return;
                }
            } catch (UncheckedIOException | RedisReplyException e) {
                trouble = e;
            }
            if (System.nanoTime() - start > LIMIT.toNanos()) {
                throw vain(what.get(), trouble);
            }
            LockSupport.parkNanos(PAUSE_NANOS);
            if (Thread.currentThread().isInterrupted()) {
                throw new IllegalStateException("interrupted while waiting until " + what.get());
            }
        }
    }

    private static IllegalStateException vain(String what, @Nullable RuntimeException trouble) {
        return new IllegalStateException("waited in vain until " + what + ", for " + LIMIT.toSeconds() + " s", trouble);
    }
}
