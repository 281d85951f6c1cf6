package io.sluice.server.state;

import io.sluice.memory.MemoryStore;
import io.sluice.memory.snapshot.Snapshot;
import io.sluice.server.StartException;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/** Saves the state of the memory store to a file, periodically and at the end, and restores it at the start. */
public final class Snapshots implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger("io.sluice.server");
    private static final String FILE = "snapshot";
    private static final DateTimeFormatter BROKEN_SUFFIX =
            DateTimeFormatter.ofPattern("uuuuMMdd-HHmmss-SSS").withZone(ZoneOffset.UTC);

    private final DataDir directory;
    private final MemoryStore store;
    private final ScheduledExecutorService worker =
            Executors.newSingleThreadScheduledExecutor(work -> new Thread(work, "sluice-snapshots"));
    private LongSupplier requests = () -> 0;
    private long savedAt = -1;
    private boolean failing;

    /**
     * Restores the snapshot if there is one. A broken snapshot is renamed, and the store starts empty.
     *
     * @param newStore creates an empty store
     * @throws StartException if the snapshot file cannot be read
     */
    public Snapshots(DataDir directory, Supplier<MemoryStore> newStore) {
        this.directory = directory;
        this.store = restore(directory.file(FILE), newStore);
    }

    public MemoryStore store() {
        return store;
    }

    private static MemoryStore restore(Path file, Supplier<MemoryStore> newStore) {
        MemoryStore store = newStore.get();
        try (InputStream in = new BufferedInputStream(Files.newInputStream(file), 1 << 16)) {
            logRestored(file, store.restore(in));
            return store;
        } catch (NoSuchFileException e) {
            return store;
        } catch (io.sluice.memory.snapshot.SnapshotException | RuntimeException e) {
            setAside(file, e);
            return newStore.get();
        } catch (IOException e) {
            throw new StartException(file + ": cannot be read: " + e.getMessage());
        }
    }

    private static void logRestored(Path file, Snapshot snapshot) {
        Instant at = Instant.EPOCH.plus(snapshot.micros(), ChronoUnit.MICROS);
        LOG.log(
                Level.INFO,
                "{0}: restored, with {1} keys of {2} limiters, as of {3}",
                file,
                Long.toString(snapshot.keys()),
                Integer.toString(snapshot.limiters()),
                at);
    }

    private static void setAside(Path file, Exception problem) {
        Path aside = file.resolveSibling(FILE + ".broken-" + BROKEN_SUFFIX.format(Instant.now()));
        String message = file + ": cannot be used, and the server begins with nothing counted: " + problem.getMessage();
        try {
            Files.move(file, aside);
            LOG.log(Level.WARNING, "{0}; it is kept as {1}", message, aside);
        } catch (IOException e) {
            LOG.log(Level.WARNING, "{0}; it could not be set aside: {1}", message, e);
        }
    }

    /**
     * Starts to save snapshots.
     *
     * @param interval the time between two snapshots, if anything has changed
     * @param requests a number that changes when the store may have changed
     */
    public void start(Duration interval, LongSupplier requests) {
        this.requests = requests;
        long nanos = interval.toNanos();
        worker.scheduleWithFixedDelay(this::saveIfChanged, nanos, nanos, TimeUnit.NANOSECONDS);
    }

    private void saveIfChanged() {
        // Read before the store is saved: a change in between is saved next time.
        long now = requests.getAsLong();
        if (now != savedAt && save()) {
            savedAt = now;
        }
    }

    private boolean save() {
        try {
            directory.replace(FILE, store::save);
            if (failing) {
                failing = false;
                LOG.log(Level.INFO, "{0}: can be written again", directory.file(FILE));
            }
            return true;
        } catch (IOException | RuntimeException e) {
            if (!failing) {
                failing = true;
                LOG.log(Level.WARNING, directory.file(FILE) + ": cannot be written; the server will try again", e);
            }
            return false;
        }
    }

    /** Saves the last snapshot. Later changes are lost. */
    @Override
    public void close() {
        worker.shutdown();
        awaitEnd(worker);
        save();
    }

    private static void awaitEnd(ExecutorService worker) {
        try {
            worker.awaitTermination(1, TimeUnit.MINUTES);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
