package io.sluice.cli.simulate.redis;

import io.sluice.StoreListener;
import io.sluice.TimeSource;
import io.sluice.cli.console.DebugMode;
import io.sluice.cli.console.InvalidInputException;
import io.sluice.cli.console.RunFailedException;
import io.sluice.redis.RedisStore;
import io.sluice.redis.RedisUnavailableException;
import io.sluice.server.RedisAddress;
import java.io.PrintStream;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/** A Redis store for one run. Its keys have their own prefix and are deleted at the end. */
final class TemporaryRedisStore implements AutoCloseable {
    private static final Duration DEADLINE = Duration.ofSeconds(10);
    private static final Logger ALL_LOGS = Logger.getLogger("");

    private final RedisAddress address;
    private final PrintStream err;
    private final String prefix = "sluice-simulate-" + UUID.randomUUID();
    private final AtomicReference<@Nullable Throwable> firstFailure = new AtomicReference<>();
    private final RedisStore store;
    private final StateLossDetector lossDetector;
    private boolean closed;

    /**
     * Connects.
     *
     * @throws InvalidInputException if the address cannot be used
     * @throws RunFailedException if Redis cannot be reached or does not work
     */
    TemporaryRedisStore(RedisAddress address, TimeSource time, PrintStream err) {
        this.address = address;
        this.err = err;
        if (!DebugMode.isOn()) {
            // This command reports each failure itself, once.
            ALL_LOGS.setLevel(Level.OFF);
        }
        this.store = store(time);
        try {
            requireAvailable();
            this.lossDetector = new StateLossDetector(store);
            if (lossDetector.result().degraded()) {
                RuntimeException problem = RedisProbe.problem(address);
                throw problem == null ? failure() : problem;
            }
        } catch (RuntimeException e) {
            hasDeleted(1);
            store.close();
            throw e;
        }
    }

    private RedisStore store(TimeSource time) {
        try {
            return RedisStore.builder()
                    .uri(address.uri())
                    .prefix(prefix)
                    .virtualTime(time)
                    .deadline(DEADLINE)
                    .listener(new StoreListener() {
                        @Override
                        public void failed(int requests, Throwable cause) {
                            firstFailure.compareAndSet(null, cause);
                        }
                    })
                    .build();
        } catch (IllegalArgumentException e) {
            throw new InvalidInputException("--store: " + e.getMessage());
        }
    }

    /** Waits for the connection. A busy machine may connect slowly. */
    private void requireAvailable() {
        if (store.isAvailable()) {
            return;
        }
        RuntimeException problem = RedisProbe.problem(address);
        if (problem != null) {
            throw problem;
        }
        long start = System.nanoTime();
        while (!store.isAvailable()) {
            if (System.nanoTime() - start > DEADLINE.toNanos()) {
                throw new RunFailedException(address + ": cannot be reached");
            }
            pause();
        }
    }

    private static void pause() {
        try {
            Thread.sleep(20);
        } catch (InterruptedException e) {
            throw new RunFailedException("interrupted");
        }
    }

    RedisStore store() {
        return store;
    }

    StateLossDetector lossDetector() {
        return lossDetector;
    }

    boolean hasFailed() {
        return firstFailure.get() != null;
    }

    /** The exception for a decision that was made without Redis. */
    RunFailedException failure() {
        Throwable cause = firstFailure.get();
        return new RunFailedException(
                address + ": Redis has failed: " + (cause == null ? "no answer" : RedisProbe.reason(cause)));
    }

    RunFailedException stateLost() {
        return new RunFailedException(
                address + ": Redis has lost the state of this run (was it restarted or emptied?)");
    }

    /** Deletes all keys of the run. */
    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        boolean failed = firstFailure.get() != null;
        if (!hasDeleted(failed ? 2 : 60) && !failed) {
            err.println("sluice simulate: note: " + address + ": the keys under " + prefix
                    + " could not be deleted; they expire within an hour");
        }
        store.close();
    }

    private boolean hasDeleted(long withinSeconds) {
        try {
            CompletableFuture.runAsync(this::deleteAll).get(withinSeconds, TimeUnit.SECONDS);
            return true;
        } catch (InterruptedException | ExecutionException | TimeoutException e) {
            return false;
        }
    }

    /** Repeats the deletion until all keys are gone: many keys take longer than the deadline of one call. */
    private void deleteAll() {
        boolean deleted = false;
        while (!deleted) {
            try {
                store.deleteAll();
                deleted = true;
            } catch (RedisUnavailableException e) {
                if (!(e.getCause() instanceof TimeoutException)) {
                    throw e;
                }
            }
        }
    }
}
