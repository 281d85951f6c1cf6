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
 * The file is the truth. It is replaced first, then its policies are put in force, then they become an edition. After a crash in
 * between, the file has a text that no edition has. That text becomes the next edition, as if somebody had edited the file while
 * the server was down.
 *
 * Locks are taken in one order: {@code writing}, the lock of the engine, {@code this}.
 */
/** The policies of a single server, in a file. Without a file they last until the server stops. */
public final class FilePolicyRepository implements PolicyRepository {
    private final PolicyEngine engine;
    private final @Nullable Path file;
    /** Whether an operator may edit the file: it is the policy file, not a file of the data directory. */
    private final boolean operatorFile;

    private final WebhookHosts hosts;
    private final @Nullable EditionFiles files;
    private final Object writing = new Object();

    /** The latest is first. */
    private final ArrayDeque<Edition> editions = new ArrayDeque<>();

    private volatile InForce current;

    private FilePolicyRepository(
            PolicyEngine engine,
            @Nullable Path file,
            boolean operatorFile,
            @Nullable EditionFiles files,
            WebhookHosts hosts) {
        this.hosts = hosts;
        this.engine = engine;
        this.file = file;
        this.operatorFile = operatorFile;
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
     * Opens the repository of an engine with a memory store.
     *
     * @param config the policy file that the engine follows; null if there is none
     * @param dataDir the directory for the history, and for the policies if there is no policy file; null for none
     * @param hosts the hosts that alerts of the policies may be posted to
     */
    public static FilePolicyRepository open(
            PolicyEngine engine, @Nullable Path config, @Nullable Path dataDir, WebhookHosts hosts) {
        Path file = config != null ? config : dataDir == null ? null : uploadedFile(dataDir);
        EditionFiles files = dataDir == null ? null : new EditionFiles(dataDir.resolve("policies"));
        FilePolicyRepository repository = new FilePolicyRepository(engine, file, config != null, files, hosts);
        engine.addListener(new PolicyListener() {
            @Override
            public void replaced(Policies policies, long version) {
                repository.recordEdition();
            }
        });
        repository.recordEdition();
        return repository;
    }

    /**
     * Loads the policies that were uploaded to a server without a policy file.
     *
     * @param hosts the hosts that their alerts may be posted to
     * @return null if there are none
     */
    public static @Nullable Policies load(Path dataDir, WebhookHosts hosts) {
        try {
            return Policies.load(uploadedFile(dataDir), hosts);
        } catch (NoSuchFileException e) {
            return null;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Path uploadedFile(Path dataDir) {
        return dataDir.resolve("policies.yaml");
    }

    /** Makes an edition of the policies in force, even if their text is the same as before. */
    @SuppressWarnings("ReferenceEquality")
    private synchronized void recordEdition() {
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
            loadEdit();
            InForce now = current;
            return new Edition(now.edition(), 0, now.policies().text());
        }
    }

    @Override
    public synchronized List<Edition> history() {
        return List.copyOf(editions);
    }

    @Override
    public Change replace(Policies policies, Predicate<String> replaceable) throws IOException {
        synchronized (writing) {
            Edition before = latest();
            if (!replaceable.test(before.text())) {
                throw new PreconditionFailedException(before);
            }
            if (file != null) {
                write(file, policies.text().getBytes(StandardCharsets.UTF_8), FileTime.from(Instant.now()));
            }
            engine.replace(policies);
            return new Change(before.number(), current.edition());
        }
    }

    /** The policy file belongs to the operator and may be a link; a file in the data directory belongs to the server. */
    private void write(Path to, byte[] bytes, FileTime time) throws IOException {
        if (operatorFile) {
            AtomicFile.replace(to, bytes, time);
        } else {
            AtomicFile.replaceOwn(to, bytes, time);
        }
    }

    /** Puts an edit of the file in force that the engine has not seen yet, so that a change does not overwrite it. */
    private void loadEdit() {
        try {
            if (file != null
                    && operatorFile
                    && !Files.readString(file).equals(current.policies().text())) {
                engine.replace(Policies.load(file, hosts));
            }
        } catch (IOException | PolicyException e) {
            // The file has no valid policies that could be lost.
        }
    }

    @Override
    public boolean durable() {
        return file != null;
    }
}
