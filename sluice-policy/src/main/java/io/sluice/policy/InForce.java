package io.sluice.policy;

import io.sluice.Edition;
import io.sluice.Publication;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Which version of the policies is in force, and how another one comes to be: told, published, or from a file. */
final class InForce implements PolicyFileWatch.Reader {
    private static final System.Logger LOG = System.getLogger("io.sluice.policy");

    /** How long to wait for the store where somebody waits for the answer. */
    private static final long PATIENCE_SECONDS = 2;

    /** How long a request waits to hear of a newer edition, before it is decided by the limits that the store has. */
    private static final long CATCH_UP_MILLIS = 200;

    private final Installer installer;
    private final @Nullable Publication publication;
    private final List<PolicyListener> listeners;
    private final Consumer<Policies> changed;
    private final Queue<Consumer<PolicyListener>> untold = new ConcurrentLinkedQueue<>();
    private final Object telling = new Object();
    private volatile Ruleset current;

    /** The number of the latest edition that was heard of, usable or not. */
    private volatile long heard;

    /**
     * Puts the first version in force.
     *
     * @param changed hears of every version, before the listeners do
     * @param otherwise what to begin with if nothing was published
     */
    InForce(
            Installer installer,
            @Nullable Publication publication,
            List<PolicyListener> listeners,
            Consumer<Policies> changed,
            Policies otherwise) {
        this.installer = installer;
        this.publication = publication;
        this.listeners = listeners;
        this.changed = changed;
        current = first(otherwise);
        changed.accept(current.policies);
        if (!overtaken(current)) {
            warnOfOthers();
        }
        tellAll();
    }

    /** By what to decide now. */
    Ruleset rules() {
        return current;
    }

    /** See {@link PolicyEngine#edition}. */
    long heard() {
        return heard;
    }

    /** See {@link PolicyEngine#replace}. */
    void replace(Policies policies) {
        if (publication != null) {
            throw new IllegalStateException("the policies come through the store (expected: publish)");
        }
        install(policies, 0);
        tellAll();
    }

    /** The file has other policies than before. */
    @Override
    public void replaced(Policies policies, BooleanSupplier stillSo) {
        synchronized (this) {
            if (heard > 0) {
                LOG.log(Level.WARNING, "policies: the file has changed, but what was published stays in force");
            } else if (!policies.text().equals(current.policies.text()) && stillSo.getAsBoolean()) {
                install(policies, 0);
            }
        }
        tellAll();
    }

    /** See {@link PolicyEngine#publish}. */
    long publish(String yaml, long after) {
        Publication to = publication;
        if (to == null) {
            throw new IllegalStateException(
                    "the policies do not come through the store (expected: builder().published())");
        }
        Policies.parse(yaml, "policies");
        Edition edition = await(to.publish(yaml, after));
        adopt(edition);
        return edition.number();
    }

    /** What is in force to begin with: what was published, if that can be used. */
    private Ruleset first(Policies otherwise) {
        Edition edition = publication == null ? null : latest(publication, PATIENCE_SECONDS * 1000);
        if (edition != null) {
            heard = edition.number();
            try {
                Policies published = Policies.parse(edition.text(), source(edition));
                return installer.install(published, edition.number(), edition.number());
            } catch (PolicyException e) {
                LOG.log(Level.WARNING, "policies refused, beginning with others:\n{0}", e.getMessage());
                untold.add(listener -> listener.refused(e));
            }
        }
        return installer.install(otherwise, publication == null ? 1 : 0, 0);
    }

    /** Puts a published edition in force, unless a newer one is. */
    void adopt(Edition edition) {
        take(edition);
        tellAll();
    }

    private synchronized void take(Edition edition) {
        if (edition.number() > current.version) {
            try {
                install(Policies.parse(edition.text(), source(edition)), edition.number());
            } catch (PolicyException e) {
                refuse(e);
            }
        }
        // Last: who reads this and then the policies never takes older ones for those of this edition.
        heard = Math.max(heard, edition.number());
    }

    private static String source(Edition edition) {
        return "published edition " + edition.number();
    }

    /** @param edition the number of the edition; 0 if it was not published */
    private synchronized void install(Policies policies, long edition) {
        if (edition > 0 && edition <= current.version) {
            return;
        }
        long version = edition > 0 || publication != null ? edition : current.version + 1;
        Ruleset next = installer.install(policies, version, edition);
        if (overtaken(next)) {
            return;
        }
        current = next;
        changed.accept(policies);
        warnOfOthers();
        LOG.log(
                Level.INFO,
                "policies: version {0} in force, {1} policies",
                version,
                policies.policies().size());
        untold.add(listener -> listener.replaced(policies, version));
    }

    /** Limits that were published go on against those of a file. */
    private void warnOfOthers() {
        List<String> others = current.notInForce();
        if (!others.isEmpty()) {
            LOG.log(
                    Level.WARNING,
                    "policies: other limits are in force, of a later revision, or because the store was not reached: {0}",
                    String.join("; ", others.subList(0, Math.min(10, others.size()))));
        }
    }

    /** A version cannot be used; what is in force stays. */
    @Override
    public void refused(PolicyException problems) {
        refuse(problems);
        tellAll();
    }

    private void refuse(PolicyException problems) {
        LOG.log(
                Level.WARNING,
                "policies refused, version {0} stays in force:\n{1}",
                current.version,
                problems.getMessage());
        untold.add(listener -> listener.refused(problems));
    }

    /*
     * Not while a version is put in force: a request that waits for that must not wait for what listeners do with it, such as
     * writing files.
     */
    /** Tells the listeners what they have not heard, in order. */
    private void tellAll() {
        synchronized (telling) {
            for (Consumer<PolicyListener> event = untold.poll(); event != null; event = untold.poll()) {
                for (PolicyListener listener : listeners) {
                    tell(listener, event);
                }
            }
        }
    }

    private static void tell(PolicyListener listener, Consumer<PolicyListener> event) {
        try {
            event.accept(listener);
        } catch (RuntimeException e) {
            LOG.log(Level.WARNING, "a listener of policies failed", e);
        }
    }

    /*
     * A limit is not what the ruleset says: either a newer version is about to be put in force here, or it was elsewhere.
     * If it was published, that is what to decide by; if not (another process has another file), the limits are those that
     * the store has, for all processes alike.
     */
    void catchUp(Ruleset outdated) {
        synchronized (this) {
            if (current == outdated) {
                Ruleset now = installer.inForce(outdated);
                if (!overtaken(now)) {
                    current = now;
                }
            }
        }
        if (publication != null) {
            tellAll();
        }
    }

    /*
     * Rules of one edition with limits of the next would be half of each. An edition is published before its limits are put
     * in force, so whoever reads the limits first and then asks for the latest edition hears of it in time.
     */
    /** Puts the newer edition in force, if it is one that the limits of these rules come from. */
    private synchronized boolean overtaken(Ruleset rules) {
        if (publication == null || rules.notInForce().isEmpty()) {
            return false;
        }
        Edition edition = latest(publication, CATCH_UP_MILLIS);
        if (edition == null || edition.number() <= rules.version) {
            return false;
        }
        take(edition);
        return current.version > rules.version;
    }

    private static @Nullable Edition latest(Publication publication, long millis) {
        try {
            Optional<Edition> edition =
                    publication.latest().toCompletableFuture().get(millis, TimeUnit.MILLISECONDS);
            return edition.orElse(null);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException e) {
            LOG.log(Level.WARNING, "policies: the store does not say which edition is the latest: {0}", e.toString());
        }
        return null;
    }

    private static <T> T await(CompletionStage<T> stage) {
        try {
            return stage.toCompletableFuture()
                    .orTimeout(PATIENCE_SECONDS, TimeUnit.SECONDS)
                    .join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            throw new IllegalStateException("no answer from the store within " + PATIENCE_SECONDS + " s", e.getCause());
        }
    }
}
