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

/** A store in Redis for one run, under a prefix of its own: nobody else sees it, and nothing of it stays. */
final class TemporaryRedisStore implements AutoCloseable {
    private static final Duration DEADLINE = Duration.ofSeconds(10);
    private static final Logger ALL_LOGS = Logger.getLogger("");

    private final RedisAddress address;
    private final PrintStream err;
    private final String prefix = "sluice-simulate-" + UUID.randomUUID();
    private final AtomicReference<@Nullable Throwable> firstFailure = new AtomicReference<>();
    private final RedisStore store;
    private final StateLossDetector witness;
    private boolean closed;

    /**
     * Connects.
     *
     * @throws InvalidInputException if the address is of no use
     * @throws RunFailedException if Redis cannot be reached or does not work
     */
    TemporaryRedisStore(RedisAddress address, TimeSource time, PrintStream err) {
        this.address = address;
        this.err = err;
        if (!DebugMode.isOn()) {
            // What goes wrong is told once, by this command.
            ALL_LOGS.setLevel(Level.OFF);
        }
        this.store = store(time);
        try {
            requireAvailable();
            this.witness = new StateLossDetector(store);
            if (witness.seen().degraded()) {
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

    /** A machine that is busy may just have been slow to connect. */
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

    StateLossDetector witness() {
        return witness;
    }

    boolean hasFailed() {
        return firstFailure.get() != null;
    }

    /** Why something was answered without Redis. */
    RunFailedException failure() {
        Throwable cause = firstFailure.get();
        return new RunFailedException(
                address + ": Redis has failed: " + (cause == null ? "no answer" : RedisProbe.reason(cause)));
    }

    RunFailedException stateLost() {
        return new RunFailedException(
                address + ": Redis has lost the state of this run (was it restarted or emptied?)");
    }

    /** Deletes what the run has left in Redis. */
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

    /** Many keys take longer than the deadline of a call, but no longer to delete while somebody waits. */
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
