package io.sluice.server.state;

import io.sluice.memory.MemoryStore;
import io.sluice.memory.Snapshot;
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

/** Keeps what a memory store has counted in a file: restores it at the start, writes it while things change, and at the end. */
public final class Snapshots implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger("io.sluice.server");
    private static final String FILE = "snapshot";
    private static final DateTimeFormatter ASIDE =
            DateTimeFormatter.ofPattern("uuuuMMdd-HHmmss-SSS").withZone(ZoneOffset.UTC);

    private final DataDir directory;
    private final MemoryStore store;
    private final ScheduledExecutorService worker =
            Executors.newSingleThreadScheduledExecutor(work -> new Thread(work, "sluice-snapshots"));
    private LongSupplier asked = () -> 0;
    private long saved = -1;
    private boolean failing;

    /**
     * Restores what there is. What cannot be restored is set aside, and the store begins empty.
     *
     * @param empty makes a store
     * @throws StartException if there is a snapshot that cannot be read at all
     */
    public Snapshots(DataDir directory, Supplier<MemoryStore> empty) {
        this.directory = directory;
        this.store = restored(directory.file(FILE), empty);
    }

    public MemoryStore store() {
        return store;
    }

    private static MemoryStore restored(Path file, Supplier<MemoryStore> empty) {
        MemoryStore store = empty.get();
        try (InputStream in = new BufferedInputStream(Files.newInputStream(file), 1 << 16)) {
            tell(file, store.restore(in));
            return store;
        } catch (NoSuchFileException e) {
            return store;
        } catch (io.sluice.memory.SnapshotException | RuntimeException e) {
            setAside(file, e);
            return empty.get();
        } catch (IOException e) {
            throw new StartException(file + ": cannot be read: " + e.getMessage());
        }
    }

    private static void tell(Path file, Snapshot snapshot) {
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
        Path aside = file.resolveSibling(FILE + ".broken-" + ASIDE.format(Instant.now()));
        String told = file + ": cannot be used, and the server begins with nothing counted: " + problem.getMessage();
        try {
            Files.move(file, aside);
            LOG.log(Level.WARNING, "{0}; it is kept as {1}", told, aside);
        } catch (IOException e) {
            LOG.log(Level.WARNING, "{0}; it could not be set aside: {1}", told, e);
        }
    }

    /**
     * Saves from now on.
     *
     * @param every how often, if anything has changed
     * @param asked a number that changes when the store may have
     */
    public void keep(Duration every, LongSupplier asked) {
        this.asked = asked;
        long nanos = every.toNanos();
        worker.scheduleWithFixedDelay(this::saveIfChanged, nanos, nanos, TimeUnit.NANOSECONDS);
    }

    private void saveIfChanged() {
        // Read before it is saved: what changes meanwhile is saved next time.
        long now = asked.getAsLong();
        if (now != saved && save()) {
            saved = now;
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
                LOG.log(Level.WARNING, directory.file(FILE) + ": cannot be written; trying on", e);
            }
            return false;
        }
    }

    /** Saves once more; what is counted from now on is lost. */
    @Override
    public void close() {
        worker.shutdown();
        last(worker);
        save();
    }

    private static void last(ExecutorService worker) {
        try {
            worker.awaitTermination(1, TimeUnit.MINUTES);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
