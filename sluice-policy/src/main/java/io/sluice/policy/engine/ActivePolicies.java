package io.sluice.policy.engine;

import io.sluice.policy.Policies;
import io.sluice.policy.PolicyEngine;
import io.sluice.policy.PolicyException;
import io.sluice.policy.PolicyListener;
import io.sluice.policy.envoy.EnvoyConfig;
import io.sluice.policy.watch.DaemonThreads;
import io.sluice.policy.watch.PolicyFileWatch;
import io.sluice.spi.Edition;
import io.sluice.spi.Publication;
import java.lang.System.Logger.Level;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Knows the active version of the policies, and replaces it: by {@link PolicyEngine#replace}, by a published edition,
 * or by a file that has changed. Thread-safe.
 */
public final class ActivePolicies implements PolicyFileWatch.Listener {
    private static final System.Logger LOG = System.getLogger("io.sluice.policy");

    /** The maximum wait of a request for a newer edition; then the request is decided by the limits in the store. */
    private static final long CATCH_UP_MILLIS = 200;

    private static final int MAX_LOGGED_LIMITS = 10;

    private final Installer installer;
    private final @Nullable PublishedPolicies published;
    private final PolicyEvents events;
    private final Consumer<Policies> changed;
    private final Executor catchUpWorker = DaemonThreads.single("sluice-policy-catch-up");

    private volatile Ruleset current;

    /** The origin of {@link #current}; null before the first version. */
    private @Nullable PreparedRuleset installed;

    /**
     * The ruleset whose limits are being put in force. It decides requests as soon as its limits are in force. Usually
     * null.
     */
    private volatile @Nullable Ruleset next;

    /** The number of the latest known edition, valid or not. */
    private volatile long latestEdition;

    /**
     * Puts the first version in force.
     *
     * @param changed is called with each version, before the listeners
     * @param initial the policies to use if nothing was published
     * @param envoy the envoyproxy/ratelimit files that the initial policies come from, if any
     */
    public ActivePolicies(
            Installer installer,
            @Nullable Publication publication,
            List<PolicyListener> listeners,
            Consumer<Policies> changed,
            Policies initial,
            @Nullable EnvoyConfig envoy) {
        this.installer = installer;
        this.published = publication == null ? null : new PublishedPolicies(publication);
        this.events = new PolicyEvents(listeners);
        this.changed = changed;
        current = first(initial, envoy);
        changed.accept(current.policies());
        if (!adoptNewerThan(current)) {
            warnOfOtherLimits();
        }
        events.deliver();
    }

    /** The ruleset that decides requests now. */
    public Ruleset rules() {
        return current;
    }

    /** See {@link PolicyEngine#edition}. */
    public long latestEdition() {
        return latestEdition;
    }

    /** See {@link PolicyEngine#replace}. */
    public void replace(Policies policies, @Nullable EnvoyConfig envoy) {
        if (published != null) {
            throw new IllegalStateException("the policies come through the store (expected: publish)");
        }
        // Outside the lock, because this is the slow part.
        PreparedRuleset prepared = installer.prepare(policies, envoy, 0);
        synchronized (this) {
            install(prepared, current.version() + 1);
        }
        events.deliver();
    }

    @Override
    public boolean isActive(byte[] bytes) {
        return current.policies().text().equals(new String(bytes, StandardCharsets.UTF_8));
    }

    @Override
    public void changed(Policies policies, BooleanSupplier isUnchanged) {
        boolean known = latestEdition > 0 || isActive(policies);
        PreparedRuleset prepared = known ? null : installer.prepare(policies, null, 0);
        synchronized (this) {
            if (latestEdition > 0) {
                LOG.log(Level.WARNING, "policies: the file has changed, but the published policies stay in force");
            } else if (prepared != null && !isActive(policies) && isUnchanged.getAsBoolean()) {
                install(prepared, published != null ? 0 : current.version() + 1);
                prepared = null;
            }
        }
        if (prepared != null) {
            installer.release(prepared);
        }
        events.deliver();
    }

    private boolean isActive(Policies policies) {
        return policies.text().equals(current.policies().text());
    }

    /** See {@link PolicyEngine#publish}. */
    public long publish(Policies policies, long after) {
        if (published == null) {
            throw new IllegalStateException(
                    "the policies do not come through the store (expected: builder().published())");
        }
        return published.publish(policies, after, this::adopt);
    }

    /** The first version: the latest edition if it is valid, else the initial policies. */
    private Ruleset first(Policies initial, @Nullable EnvoyConfig envoy) {
        Edition edition = published == null ? null : published.latest(PublishedPolicies.STORE_TIMEOUT_MILLIS);
        if (published != null && edition != null) {
            latestEdition = edition.number();
            try {
                return first(installer.prepare(published.read(edition), null, edition.number()), edition.number());
            } catch (PolicyException e) {
                LOG.log(
                        Level.WARNING,
                        "policies refused, the engine starts with its own policies:\n{0}",
                        e.getMessage());
                events.add(listener -> listener.refused(e));
            }
        }
        return first(installer.prepare(initial, envoy, 0), published == null ? 1 : 0);
    }

    private Ruleset first(PreparedRuleset prepared, long version) {
        installer.enforce(prepared);
        installed = prepared;
        return installer.withCurrentLimits(prepared.rules().withVersion(version));
    }

    /** Puts a published edition in force, unless a newer one is in force. */
    void adopt(Edition edition) {
        adoptIfNewer(edition);
        events.deliver();
    }

    /*
     * All processes prepare the new rules before any process puts the limits in force. So each process has the rules
     * for the new limits when it first meets them, and no request has to wait.
     */
    private synchronized void adoptIfNewer(Edition edition) {
        if (published != null && edition.number() > current.version()) {
            try {
                PreparedRuleset prepared = installer.prepare(published.read(edition), null, edition.number());
                next = prepared.rules().withVersion(edition.number());
                published.awaitAllReady(edition.number());
                install(prepared, edition.number());
            } catch (PolicyException e) {
                logRefusal(e);
                published.markReady(edition.number());
            } finally {
                next = null;
            }
        }
        // Written last: a reader of this number and then of the policies never gets older policies than those of the
        // edition.
        latestEdition = Math.max(latestEdition, edition.number());
    }

    private synchronized void install(PreparedRuleset prepared, long version) {
        Ruleset rules = prepared.rules().withVersion(version);
        next = rules;
        try {
            installer.enforce(prepared);
            if (!installer.isEnforced(prepared)) {
                rules = installer.withCurrentLimits(rules);
                if (adoptNewerThan(rules)) {
                    installer.release(prepared);
                    return;
                }
            }
            PreparedRuleset before = installed;
            installed = prepared;
            current = rules;
            if (before != null) {
                installer.release(before);
            }
        } finally {
            next = null;
        }
        Policies policies = rules.policies();
        changed.accept(policies);
        applyFactors();
        warnOfOtherLimits();
        LOG.log(
                Level.INFO,
                "policies: version {0} in force, {1} policies",
                version,
                policies.policies().size());
        events.add(listener -> listener.replaced(policies, version));
    }

    /**
     * Puts the limits in force that the present factors ask for.
     *
     * @return the policies whose factor changed, with the factor before
     */
    public synchronized Map<String, BigDecimal> applyFactors() {
        Ruleset before = current;
        Ruleset scaled = before.withFactors(installer.factors());
        Map<String, BigDecimal> changed = new LinkedHashMap<>();
        next = scaled;
        try {
            for (int i = 0; i < scaled.rules.length; i++) {
                BigDecimal old = before.rules[i].factor;
                if (old != null && scaled.rules[i] != before.rules[i]) {
                    scaled.rules[i].update();
                    changed.put(scaled.rules[i].policy.name(), old);
                }
            }
            current = scaled;
        } finally {
            next = null;
        }
        return changed;
    }

    /** Releases the limiters of the active version, and tells the listeners. */
    public void close() {
        synchronized (this) {
            PreparedRuleset before = installed;
            installed = null;
            if (before != null) {
                installer.release(before);
                events.add(PolicyListener::closed);
            }
        }
        events.deliver();
    }

    /** Published limits have priority over the limits of a file. */
    private void warnOfOtherLimits() {
        List<String> others = current.differingLimits();
        if (!others.isEmpty()) {
            LOG.log(
                    Level.WARNING,
                    "policies: the store enforces other limits, because they have a higher revision or the store was not reached: {0}",
                    String.join("; ", others.subList(0, Math.min(MAX_LOGGED_LIMITS, others.size()))));
        }
    }

    @Override
    public void refused(PolicyException problems) {
        logRefusal(problems);
        events.deliver();
    }

    private void logRefusal(PolicyException problems) {
        LOG.log(
                Level.WARNING,
                "policies refused, version {0} stays in force:\n{1}",
                current.version(),
                problems.getMessage());
        events.add(listener -> listener.refused(problems));
    }

    /**
     * Another ruleset than this one, without waiting: the active one, or the one whose limits are being put in force.
     * Null if there is none. While a version is put in force, the limits in the store belong to the version before or
     * to the new one. So one of the two rulesets can decide.
     */
    @SuppressWarnings("ReferenceEquality")
    @Nullable
    Ruleset replacementFor(Ruleset outdated) {
        Ruleset now = current;
        if (now != outdated) {
            return now;
        }
        return next;
    }

    /** {@link #catchUp} on another thread. */
    CompletableFuture<Ruleset> catchUpAsync(Ruleset outdated) {
        return CompletableFuture.supplyAsync(() -> catchUp(outdated), catchUpWorker);
    }

    /*
     * A limit in the store differs from the ruleset. Either this process is about to put a newer version in force, or
     * another process has done so. If the newer version was published, it decides. If not (another process has another
     * file), the limits in the store decide, and they are the same for all processes.
     */

    /** The ruleset to use instead of an outdated one. May wait for the store. */
    @SuppressWarnings("ReferenceEquality")
    Ruleset catchUp(Ruleset outdated) {
        if (current == outdated || next == outdated) {
            synchronized (this) {
                if (current == outdated) {
                    Ruleset now = installer.withCurrentLimits(outdated);
                    if (!adoptNewerThan(now)) {
                        current = now;
                    }
                }
            }
        }
        if (published != null) {
            events.deliver();
        }
        return current;
    }

    /*
     * The rules of one edition with the limits of the next edition would be a mixture. An edition is published before
     * its limits are put in force. So a process that reads the limits first, and the latest edition afterwards, always
     * finds that edition.
     */

    /**
     * Puts the latest edition in force if limits of these rules come from it.
     *
     * @return whether a newer version than these rules is active now
     */
    private synchronized boolean adoptNewerThan(Ruleset rules) {
        if (published == null || rules.differingLimits().isEmpty()) {
            return false;
        }
        Edition edition = published.latest(CATCH_UP_MILLIS);
        if (edition == null || edition.number() <= rules.version()) {
            return false;
        }
        adoptIfNewer(edition);
        return current.version() > rules.version();
    }
}
