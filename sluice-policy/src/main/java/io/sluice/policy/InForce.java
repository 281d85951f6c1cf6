package io.sluice.policy;

import io.sluice.spi.Edition;
import io.sluice.spi.Publication;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
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
    private final Executor catchingUp = Workers.single("sluice-policy-catch-up");
    private volatile Ruleset current;

    /** What {@link #current} came from; null before there is any. */
    private @Nullable Prepared installed;

    /** What is about to be in force: as soon as its limits are, it decides. Null if nothing is. */
    private volatile @Nullable Ruleset next;

    /** What this process publishes, read already. */
    private volatile @Nullable Policies publishing;

    /** The number of the latest edition that was heard of, usable or not. */
    private volatile long heard;

    /**
     * Puts the first version in force.
     *
     * @param changed hears of every version, before the listeners do
     * @param otherwise what to begin with if nothing was published
     * @param envoy the files that these come from, if they do
     */
    InForce(
            Installer installer,
            @Nullable Publication publication,
            List<PolicyListener> listeners,
            Consumer<Policies> changed,
            Policies otherwise,
            @Nullable EnvoyConfig envoy) {
        this.installer = installer;
        this.publication = publication;
        this.listeners = listeners;
        this.changed = changed;
        current = first(otherwise, envoy);
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
    void replace(Policies policies, @Nullable EnvoyConfig envoy) {
        if (publication != null) {
            throw new IllegalStateException("the policies come through the store (expected: publish)");
        }
        // Not under the lock: it is what takes long.
        Prepared prepared = installer.prepare(policies, envoy, 0);
        synchronized (this) {
            install(prepared, current.version + 1);
        }
        tellAll();
    }

    @Override
    public boolean isKnown(byte[] bytes) {
        return current.policies.text().equals(new String(bytes, StandardCharsets.UTF_8));
    }

    /** The file has other policies than before. */
    @Override
    public void replaced(Policies policies, BooleanSupplier stillSo) {
        boolean known = heard > 0 || policies.text().equals(current.policies.text());
        Prepared prepared = known ? null : installer.prepare(policies, null, 0);
        synchronized (this) {
            if (heard > 0) {
                LOG.log(Level.WARNING, "policies: the file has changed, but what was published stays in force");
            } else if (prepared != null && !policies.text().equals(current.policies.text()) && stillSo.getAsBoolean()) {
                install(prepared, publication != null ? 0 : current.version + 1);
                prepared = null;
            }
        }
        if (prepared != null) {
            installer.release(prepared);
        }
        tellAll();
    }

    /** See {@link PolicyEngine#publish}. */
    long publish(Policies policies, long after) {
        Publication to = publication;
        if (to == null) {
            throw new IllegalStateException(
                    "the policies do not come through the store (expected: builder().published())");
        }
        publishing = policies;
        try {
            Edition edition = await(to.publish(policies.text(), after));
            adopt(edition);
            return edition.number();
        } finally {
            publishing = null;
        }
    }

    /** What an edition says. */
    private Policies read(Edition edition) {
        Policies known = publishing;
        return known != null && known.text().equals(edition.text())
                ? known
                : Policies.parse(edition.text(), source(edition));
    }

    /** What is in force to begin with: what was published, if that can be used. */
    private Ruleset first(Policies otherwise, @Nullable EnvoyConfig envoy) {
        Edition edition = publication == null ? null : latest(publication, PATIENCE_SECONDS * 1000);
        if (edition != null) {
            heard = edition.number();
            try {
                return first(installer.prepare(read(edition), null, edition.number()), edition.number());
            } catch (PolicyException e) {
                LOG.log(Level.WARNING, "policies refused, beginning with others:\n{0}", e.getMessage());
                untold.add(listener -> listener.refused(e));
            }
        }
        return first(installer.prepare(otherwise, envoy, 0), publication == null ? 1 : 0);
    }

    private Ruleset first(Prepared prepared, long version) {
        installer.enforce(prepared);
        installed = prepared;
        return installer.inForce(prepared.rules().numbered(version));
    }

    /** Puts a published edition in force, unless a newer one is. */
    void adopt(Edition edition) {
        take(edition);
        tellAll();
    }

    /*
     * Everybody gets ready before anybody puts the limits in force: so each process has the rules that go with the limits as soon
     * as it meets them, and no request has to wait for them.
     */
    private synchronized void take(Edition edition) {
        if (edition.number() > current.version) {
            try {
                Prepared prepared = installer.prepare(read(edition), null, edition.number());
                next = prepared.rules().numbered(edition.number());
                awaitOthers(edition.number());
                install(prepared, edition.number());
            } catch (PolicyException e) {
                refuse(e);
                ready(edition.number());
            } finally {
                next = null;
            }
        }
        // Last: who reads this and then the policies never takes older ones for those of this edition.
        heard = Math.max(heard, edition.number());
    }

    /** Nobody has to wait for this process because of an edition. */
    private CompletableFuture<?> ready(long edition) {
        return publication == null
                ? CompletableFuture.completedFuture(null)
                : publication.ready(edition).toCompletableFuture();
    }

    private void awaitOthers(long edition) {
        try {
            ready(edition).get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException e) {
            LOG.log(Level.WARNING, "policies: the store does not say whether all are ready for {0}: {1}", edition, e);
        }
    }

    private static String source(Edition edition) {
        return "published edition " + edition.number();
    }

    private synchronized void install(Prepared prepared, long version) {
        Ruleset rules = prepared.rules().numbered(version);
        next = rules;
        try {
            installer.enforce(prepared);
            if (!installer.isInForce(prepared)) {
                rules = installer.inForce(rules);
                if (overtaken(rules)) {
                    installer.release(prepared);
                    return;
                }
            }
            Prepared before = installed;
            installed = prepared;
            current = rules;
            if (before != null) {
                installer.release(before);
            }
        } finally {
            next = null;
        }
        Policies policies = rules.policies;
        changed.accept(policies);
        warnOfOthers();
        LOG.log(
                Level.INFO,
                "policies: version {0} in force, {1} policies",
                version,
                policies.policies().size());
        untold.add(listener -> listener.replaced(policies, version));
    }

    /** Gives up what is in force. */
    synchronized void close() {
        Prepared before = installed;
        installed = null;
        if (before != null) {
            installer.release(before);
        }
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

    /**
     * Other rules than these, without waiting for anything: those in force, or those that are about to be. Null if there are none.
     * While a version is put in force, the limits are those of the one before or of itself, so one of both decides.
     */
    @SuppressWarnings("ReferenceEquality")
    @Nullable
    Ruleset insteadOf(Ruleset outdated) {
        Ruleset now = current;
        if (now != outdated) {
            return now;
        }
        return next;
    }

    /** {@link #catchUp} on another thread. */
    CompletableFuture<Ruleset> catchUpAsync(Ruleset outdated) {
        return CompletableFuture.supplyAsync(() -> catchUp(outdated), catchingUp);
    }

    /*
     * A limit is not what the ruleset says: either a newer version is about to be put in force here, or it was elsewhere.
     * If it was published, that is what to decide by; if not (another process has another file), the limits are those that
     * the store has, for all processes alike.
     */
    /** The rules to decide by instead of those, which may take a while. */
    @SuppressWarnings("ReferenceEquality")
    Ruleset catchUp(Ruleset outdated) {
        if (current == outdated || next == outdated) {
            synchronized (this) {
                if (current == outdated) {
                    Ruleset now = installer.inForce(outdated);
                    if (!overtaken(now)) {
                        current = now;
                    }
                }
            }
        }
        if (publication != null) {
            tellAll();
        }
        return current;
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
