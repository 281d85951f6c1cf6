package io.sluice.server.admin;

import io.sluice.spi.Publication;
import io.sluice.spi.SharedNotes;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The address from which each edition of the policies came, for people: in Redis, or in a file of the data directory. Nothing
 * depends on it, so a failure is only logged. Methods may block. Thread-safe.
 */
public final class EditionAuthors {
    private static final System.Logger LOG = System.getLogger("io.sluice.server");
    private static final Duration LIFE = Duration.ofDays(400);
    private static final long TIMEOUT_SECONDS = 2;

    /** Editions whose authors are on one page of the notes. */
    private static final int PAGE = 50;

    private final @Nullable SharedNotes notes;
    private final @Nullable Path file;

    /** Without Redis. */
    private final TreeMap<Long, String> authors = new TreeMap<>();

    /**
     * Creates the authors of a server.
     *
     * @param notes those in Redis; null without Redis
     * @param dataDir null if there is none
     */
    public EditionAuthors(@Nullable SharedNotes notes, @Nullable Path dataDir) {
        this.notes = notes;
        this.file = dataDir == null || notes != null ? null : dataDir.resolve("authors.json");
        if (file != null) {
            try {
                put(authors, new JsonObject(Files.readString(file)).getMap());
            } catch (NoSuchFileException e) {
                // No edition has an author yet.
            } catch (IOException | DecodeException e) {
                LOG.log(Level.WARNING, "{0} is not used: {1}", file, e);
            }
        }
    }

    private static void put(Map<Long, String> authors, Map<String, ?> texts) {
        texts.forEach((number, who) -> {
            if (number.matches("\\d{1,18}") && who instanceof String text) {
                authors.put(Long.parseLong(number), text);
            }
        });
    }

    void put(long edition, String who) {
        try {
            if (notes != null) {
                notes.put(page(edition), Map.of(Long.toString(edition), who), LIFE)
                        .toCompletableFuture()
                        .orTimeout(TIMEOUT_SECONDS, TimeUnit.SECONDS)
                        .join();
            } else {
                putHere(edition, who);
            }
        } catch (IOException | RuntimeException e) {
            LOG.log(Level.WARNING, "who has put edition {0} will not be in the history: {1}", edition, e);
        }
    }

    private synchronized void putHere(long edition, String who) throws IOException {
        authors.put(edition, who);
        authors.headMap(edition - Publication.REMEMBERED, true).clear();
        if (file != null) {
            JsonObject json = new JsonObject();
            authors.forEach((number, each) -> json.put(number.toString(), each));
            AtomicFile.replaceOwn(file, json.encode().getBytes(StandardCharsets.UTF_8), FileTime.from(Instant.now()));
        }
    }

    /** The known authors of the latest editions. */
    Map<Long, String> read(long latest) {
        if (notes == null) {
            synchronized (this) {
                return Map.copyOf(authors);
            }
        }
        Map<Long, String> found = new TreeMap<>();
        try {
            for (String page : new String[] {page(Math.max(0, latest - Publication.REMEMBERED)), page(latest)}) {
                put(
                        found,
                        notes.read(page)
                                .toCompletableFuture()
                                .orTimeout(TIMEOUT_SECONDS, TimeUnit.SECONDS)
                                .join());
            }
        } catch (RuntimeException e) {
            LOG.log(Level.WARNING, "who has put the policies cannot be read: {0}", e.toString());
        }
        return found;
    }

    private static String page(long edition) {
        return Long.toString(edition / PAGE);
    }
}
