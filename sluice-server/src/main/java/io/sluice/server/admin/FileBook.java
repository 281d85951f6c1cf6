package io.sluice.server.admin;

import io.sluice.policy.Policies;
import io.sluice.policy.PolicyEngine;
import io.sluice.policy.PolicyException;
import io.sluice.policy.PolicyListener;
import io.sluice.policy.WebhookHosts;
import io.sluice.spi.Edition;
import io.sluice.spi.Publication;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayDeque;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/*
 * The file is what counts: it is replaced first, then its policies are put in force, then they become an edition. After a
 * crash in between, the file says something that no edition does, and that becomes the next one; just as if somebody had
 * edited it while the server was down.
 *
 * Locks are taken in one order: a change (writing), the engine's, this.
 */
/** Policies of one server: in a file, or if it has none, only as long as it runs. */
public final class FileBook implements PolicyBook {
    private final PolicyEngine engine;
    private final @Nullable Path file;
    private final boolean edited;
    private final WebhookHosts hosts;
    private final @Nullable EditionFiles files;
    private final Object writing = new Object();

    /** The latest first. */
    private final ArrayDeque<Edition> editions = new ArrayDeque<>();

    private volatile InForce current;

    private FileBook(
            PolicyEngine engine,
            @Nullable Path file,
            boolean edited,
            @Nullable EditionFiles files,
            WebhookHosts hosts) {
        this.hosts = hosts;
        this.engine = engine;
        this.file = file;
        this.edited = edited;
        this.files = files;
        if (files != null) {
            editions.addAll(files.load());
        }
        Policies policies = engine.policies();
        Edition latest = editions.peekFirst();
        if (latest != null && latest.text().equals(policies.text())) {
            current = new InForce(latest.number(), policies);
        } else {
            current = new InForce(add(policies), policies);
        }
    }

    /**
     * The book of an engine that decides in memory.
     *
     * @param config the file that the engine follows; null if there is none
     * @param dataDir where to keep the history, and the policies if there is no file; null for nowhere
     * @param hosts where the alerts of the file may be posted to
     */
    public static FileBook open(
            PolicyEngine engine, @Nullable Path config, @Nullable Path dataDir, WebhookHosts hosts) {
        Path file = config != null ? config : dataDir == null ? null : kept(dataDir);
        EditionFiles files = dataDir == null ? null : new EditionFiles(dataDir.resolve("policies"));
        FileBook book = new FileBook(engine, file, config != null, files, hosts);
        engine.addListener(new PolicyListener() {
            @Override
            public void replaced(Policies policies, long version) {
                book.follow();
            }
        });
        book.follow();
        return book;
    }

    /**
     * What was put, on a server without a file of policies.
     *
     * @param hosts where its alerts may be posted to
     * @return null if nothing was
     */
    public static @Nullable Policies put(Path dataDir, WebhookHosts hosts) {
        try {
            return Policies.load(kept(dataDir), hosts);
        } catch (NoSuchFileException e) {
            return null;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Path kept(Path dataDir) {
        return dataDir.resolve("policies.yaml");
    }

    /** Whatever the engine has put in force is an edition, even if it says the same as the one before. */
    @SuppressWarnings("ReferenceEquality")
    private synchronized void follow() {
        Policies policies = engine.policies();
        if (policies != current.policies()) {
            current = new InForce(add(policies), policies);
        }
    }

    private long add(Policies policies) {
        Edition latest = editions.peekFirst();
        long micros = ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
        Edition edition = new Edition(latest == null ? 1 : latest.number() + 1, micros, policies.text());
        editions.addFirst(edition);
        if (editions.size() > Publication.REMEMBERED) {
            editions.removeLast();
        }
        if (files != null) {
            files.add(edition);
        }
        return edition.number();
    }

    @Override
    public InForce current() {
        return current;
    }

    @Override
    public Edition latest() {
        synchronized (writing) {
            takeEdit();
            InForce now = current;
            return new Edition(now.edition(), 0, now.policies().text());
        }
    }

    @Override
    public synchronized List<Edition> history() {
        return List.copyOf(editions);
    }

    @Override
    public Change put(Policies policies, Predicate<String> replaceable) throws IOException {
        synchronized (writing) {
            Edition before = latest();
            if (!replaceable.test(before.text())) {
                throw new NotExpectedException(before);
            }
            if (file != null) {
                write(file, policies.text().getBytes(StandardCharsets.UTF_8), FileTime.from(Instant.now()));
            }
            engine.replace(policies);
            return new Change(before.number(), current.edition());
        }
    }

    /** A file of policies is the operator's, and may be a link; one in the data directory is ours. */
    private void write(Path to, byte[] bytes, FileTime time) throws IOException {
        if (edited) {
            AtomicFile.replace(to, bytes, time);
        } else {
            AtomicFile.replaceOwn(to, bytes, time);
        }
    }

    /** Somebody may have edited the file a moment ago: that is an edition too, not to be written over unseen. */
    private void takeEdit() {
        try {
            if (file != null
                    && edited
                    && !Files.readString(file).equals(current.policies().text())) {
                engine.replace(Policies.load(file, hosts));
            }
        } catch (IOException | PolicyException e) {
            // There is nothing in it that could be lost.
        }
    }

    @Override
    public boolean durable() {
        return file != null;
    }
}
