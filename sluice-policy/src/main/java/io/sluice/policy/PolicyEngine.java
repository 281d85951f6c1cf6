package io.sluice.policy;

import io.sluice.Charge;
import io.sluice.TimeSource;
import io.sluice.memory.MemoryStore;
import io.sluice.spi.Edition;
import io.sluice.spi.LimitChangedException;
import io.sluice.spi.PolicyStore;
import io.sluice.spi.Publication;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Decides requests by policies. All policies that apply are charged together, or none.
 *
 * <pre>{@code
 * PolicyEngine engine = PolicyEngine.builder().file(Path.of("policies.yaml")).store(store).build();
 * PolicyDecision decision = engine.check(Map.of("tenant", "acme", "path", "/api/orders"));
 * if (!decision.allowed()) ...
 * }</pre>
 *
 * <p>Policies can be replaced while it runs: by {@link #replace}, by a {@linkplain Builder#file file} that changes, or
 * {@linkplain Builder#published through the store}. What was used stays used, and each request is decided wholly by one
 * version. Thread-safe; meant to live as long as the process.
 */
public final class PolicyEngine implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger("io.sluice.policy");

    /** How often a request is tried without waiting: by what was in force, by what is about to be, and by what is by then. */
    private static final int TRIES_AT_ONCE = 3;

    private final Decider decider;
    private final Installer installer;
    private final PolicyCounters requests;
    private final AlertWatch alerts;
    private final TopKeys top;
    private final SluiceMetrics metrics;
    private final InForce inForce;
    private final List<PolicyListener> listeners = new CopyOnWriteArrayList<>();
    private final ExecutorService worker = Workers.background("sluice-policy");
    private final List<AutoCloseable> parts = new ArrayList<>();

    private PolicyEngine(Builder builder) throws IOException {
        // First what may be refused: nothing is left behind then.
        Path file = builder.file;
        byte[] read = file == null ? new byte[0] : Policies.read(file);
        Policies first = file == null ? builder.policies : Policies.parse(read, file.toString(), builder.webhookHosts);
        PolicyStore store =
                builder.store == null ? MemoryStore.builder().time(builder.time).build() : builder.store;
        MemoryStore own = store instanceof MemoryStore memory
                ? memory
                : MemoryStore.builder().time(builder.time).build();
        requests = new PolicyCounters(own::evictions);
        installer = new Installer(store, own);
        decider = new Decider(store, own, installer);
        listeners.addAll(builder.listeners);
        alerts = new AlertWatch(builder.time, requests, installer::counters);
        top = new TopKeys(builder.time);
        metrics = new SluiceMetrics(
                requests,
                installer::counters,
                this::version,
                () -> alerts.firing().size());
        parts.add(alerts);
        parts.add(top::close);
        parts.add(metrics);
        Publication publication = builder.publication == null ? null : store.publication(builder.publication);
        inForce = new InForce(
                installer, publication, listeners, this::changed, first, file == null ? builder.envoy : null);
        parts.add(inForce::close);
        builder.alertListeners.forEach(alerts::add);
        if (publication != null) {
            AtomicReference<@Nullable Edition> newest = new AtomicReference<>();
            Runnable end = publication.follow(next -> {
                newest.set(next);
                worker.execute(() -> {
                    // Who lags behind need not take up those that were replaced since.
                    Edition edition = newest.getAndSet(null);
                    if (edition != null) {
                        inForce.adopt(edition);
                    }
                });
            });
            parts.add(end::run);
        }
        if (file != null) {
            parts.add(new PolicyFileWatch(file, read, builder.webhookHosts, worker, inForce));
        }
    }

    private void changed(Policies policies) {
        alerts.watch(policies.alerts());
        metrics.policiesChanged();
    }

    /** Starts an engine that has no policies and decides in the memory of this process. */
    public static Builder builder() {
        return new Builder();
    }

    /** {@link #check(Map, long)} for one permit. */
    public PolicyDecision check(Map<String, String> attributes) {
        return check(attributes, 1);
    }

    /**
     * Decides a request and charges it.
     *
     * @param attributes what is known of it, such as {@code tenant=acme path=/api/orders}
     * @param permits what it costs; 0 only looks
     */
    public PolicyDecision check(Map<String, String> attributes, long permits) {
        requirePermits(permits);
        long began = begin();
        Ruleset rules = inForce.rules();
        for (int tries = 1; ; tries++) {
            Applied applied = rules.apply(rules.attributes.values(attributes), permits);
            try {
                return counted(applied, decider.decide(applied), began);
            } catch (LimitChangedException e) {
                rules = insteadOf(rules, tries);
            }
        }
    }

    /** The rules to decide by instead of those, for the request's next try. */
    private Ruleset insteadOf(Ruleset outdated, int tries) {
        Ruleset instead = tries % TRIES_AT_ONCE == 0 ? null : inForce.insteadOf(outdated);
        return instead == null ? inForce.catchUp(outdated) : instead;
    }

    private CompletionStage<Ruleset> insteadOfAsync(Ruleset outdated, int tries) {
        Ruleset instead = tries % TRIES_AT_ONCE == 0 ? null : inForce.insteadOf(outdated);
        return instead == null ? inForce.catchUpAsync(outdated) : CompletableFuture.completedFuture(instead);
    }

    /** {@link #check(Map, long)} without blocking; cancelling the stage's future gives the permits back. */
    public CompletionStage<PolicyDecision> checkAsync(Map<String, String> attributes, long permits) {
        requirePermits(permits);
        long began = begin();
        Told<PolicyDecision> told = new Told<>();
        untilInForce(inForce.rules(), 1, rules -> {
                    Applied applied = rules.apply(rules.attributes.values(attributes), permits);
                    return decider.decideAsync(applied, told).thenApply(decision -> counted(applied, decision, began));
                })
                .whenComplete(told::tell);
        return told;
    }

    /** What is decided, or decided again if the rules were no longer in force: then nothing was decided. */
    private <T> CompletionStage<T> untilInForce(
            Ruleset rules, int tries, Function<Ruleset, CompletionStage<T>> decide) {
        return decide.apply(rules)
                .handle((decision, failure) -> {
                    if (failure == null) {
                        return CompletableFuture.completedFuture(decision);
                    }
                    Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
                    if (cause instanceof LimitChangedException) {
                        return insteadOfAsync(rules, tries)
                                .thenCompose(instead -> untilInForce(instead, tries + 1, decide));
                    }
                    return CompletableFuture.<T>failedFuture(cause);
                })
                .thenCompose(stage -> stage);
    }

    /**
     * Decides several requests and charges them: all of them, or none. Each has its own verdict. Where two of them ask for
     * permits of one bucket, both are told what their sum is told, see {@link PolicyStore#decide}.
     *
     * @param also further charges on limiters of the engine's store, decided in the same step
     */
    public PolicyDecisions check(List<PolicyRequest> requests, List<Charge> also) {
        for (PolicyView view = view(); ; view = new PolicyView(insteadOf(view.rules, view.tries), view.tries + 1)) {
            try {
                return check(view, requests, also);
            } catch (LimitChangedException e) {
                // Nothing was decided.
            }
        }
    }

    /** {@link #check(List, List)} without blocking; cancelling the stage's future gives the permits back. */
    public CompletionStage<PolicyDecisions> checkAsync(List<PolicyRequest> requests, List<Charge> also) {
        long began = begin();
        Told<PolicyDecisions> told = new Told<>();
        untilInForce(inForce.rules(), 1, rules -> decideAsync(rules, requests, also, began, told))
                .whenComplete(told::tell);
        return told;
    }

    /** The policies in force now, for requests that depend on what they say. */
    public PolicyView view() {
        return new PolicyView(inForce.rules(), 1);
    }

    /**
     * The policies to decide by instead of those that were no longer in force when a request was to be decided by them.
     *
     * @return mostly complete already
     */
    public CompletionStage<PolicyView> viewAfter(PolicyView outdated) {
        return insteadOfAsync(outdated.rules, outdated.tries)
                .thenApply(rules -> new PolicyView(rules, outdated.tries + 1));
    }

    /**
     * {@link #check(List, List)} by certain policies.
     *
     * @throws LimitChangedException if their limits are no longer in force; then nothing was decided, and what {@link #viewAfter}
     *     says is to be asked
     */
    public PolicyDecisions check(PolicyView view, List<PolicyRequest> requests, List<Charge> also) {
        long began = begin();
        Joined joined = Joined.of(view.rules, requests, also);
        return counted(joined, decider.decide(joined), began);
    }

    /** {@link #check(PolicyView, List, List)} without blocking. */
    public CompletionStage<PolicyDecisions> checkAsync(
            PolicyView view, List<PolicyRequest> requests, List<Charge> also) {
        Told<PolicyDecisions> told = new Told<>();
        decideAsync(view.rules, requests, also, begin(), told).whenComplete(told::tell);
        return told;
    }

    private CompletionStage<PolicyDecisions> decideAsync(
            Ruleset rules, List<PolicyRequest> requests, List<Charge> also, long began, Told<PolicyDecisions> told) {
        Joined joined = Joined.of(rules, requests, also);
        return decider.decideAsync(joined, told).thenApply(decisions -> counted(joined, decisions, began));
    }

    private PolicyDecisions counted(Joined joined, PolicyDecisions decisions, long began) {
        joined.count(decisions, requests, top);
        record(began);
        return decisions;
    }

    private static void requirePermits(long permits) {
        if (permits < 0) {
            throw new IllegalArgumentException("permits: " + permits + " (expected: >= 0)");
        }
    }

    private PolicyDecision counted(Applied applied, PolicyDecision decision, long began) {
        applied.count(decision, requests, top);
        record(began);
        return decision;
    }

    private void record(long began) {
        if (began != 0) {
            metrics.record(System.nanoTime() - began);
        }
    }

    /** When a decision began, if anybody wants to know; else 0. */
    private long begin() {
        return metrics.timed() ? System.nanoTime() : 0;
    }

    /** Says of each policy whether it applies to such a request and why, and how it stands. Charges nothing. */
    public Explanation explain(Map<String, String> attributes, long permits) {
        requirePermits(permits);
        return Explanation.of(inForce.rules(), attributes, permits);
    }

    /**
     * How the buckets stand that a request with these attributes would be charged on, in the order of the policies. Charges
     * nothing.
     */
    public CompletionStage<List<Bucket>> inspect(Map<String, String> attributes) {
        return Buckets.of(inForce.rules(), attributes).inspect();
    }

    /**
     * How the buckets of a policy stand, its own and one for each override. Charges nothing.
     *
     * @param key the values of the key's attributes
     * @throws java.util.NoSuchElementException if there is no such policy, or it is off
     * @throws IllegalArgumentException if these are not the attributes of its key
     */
    public CompletionStage<List<Bucket>> inspect(String policy, Map<String, String> key) {
        return Buckets.of(inForce.rules(), policy, key).inspect();
    }

    /**
     * Forgets what was used of the buckets of {@link #inspect(Map)}, lockouts included, and says how they stand then. Fails
     * with {@link IllegalStateException} if the store cannot be reached.
     */
    public CompletionStage<List<Bucket>> reset(Map<String, String> attributes) {
        return Buckets.of(inForce.rules(), attributes).reset();
    }

    /** {@link #reset(Map)} for the buckets of {@link #inspect(String, Map)}. */
    public CompletionStage<List<Bucket>> reset(String policy, Map<String, String> key) {
        return Buckets.of(inForce.rules(), policy, key).reset();
    }

    /** The policies in force. */
    public Policies policies() {
        return inForce.rules().policies;
    }

    /**
     * Which version of the policies is in force: the number of the edition if they come through the store, 0 before the
     * first; else how often they were replaced, from 1.
     */
    public long version() {
        return inForce.rules().version;
    }

    /** The number of the latest edition that was published, as far as is known, even if it was refused; 0 if there is none. */
    public long edition() {
        return inForce.heard();
    }

    /** The keys that ask most and are denied most, over the last one to two minutes. */
    public TopKeys topKeys() {
        return top;
    }

    /** What the key of such an entry stands for, by the text of its parts; nothing if it is too long to be told. */
    public Optional<Map<String, String>> key(Top top) {
        return policies().policies().stream()
                .filter(policy -> policy.name().equals(top.policy()))
                .findFirst()
                .map(policy -> KeyReader.parse(policy.key(), top.key()));
    }

    /** What was decided so far. */
    public DecisionCounts counts() {
        return DecisionCounts.of(requests, installer.counters());
    }

    /** What is counted, for Micrometer: {@code engine.metrics().bindTo(registry)}. */
    public SluiceMetrics metrics() {
        return metrics;
    }

    /** Tells a listener when policies change, from now on. */
    public void addListener(PolicyListener listener) {
        listeners.add(Objects.requireNonNull(listener, "listener"));
    }

    /** Tells a listener of alerts from now on. */
    public void addAlertListener(AlertListener listener) {
        alerts.add(Objects.requireNonNull(listener, "listener"));
    }

    /** The alerts that fire now. */
    public List<AlertEvent> firing() {
        return alerts.firing();
    }

    /**
     * Puts other policies in force, in this process. What was used stays used; what a policy of a name had used stays
     * with that name.
     *
     * @throws IllegalStateException if the policies come {@linkplain Builder#published through the store}
     */
    public void replace(Policies policies) {
        inForce.replace(policies, null);
    }

    /** {@link #replace(Policies)} by those of envoyproxy/ratelimit files, which requests are matched by, see {@link #view()}. */
    public void replace(EnvoyConfig config) {
        inForce.replace(config.policies(), config);
    }

    /**
     * Publishes policies through the store: they are in force here when this returns, and in every other process within a
     * second.
     *
     * @param yaml as in a file
     * @param after the {@link #edition()} that they replace
     * @return the new version
     * @throws PolicyException if they are refused
     * @throws io.sluice.spi.EditionConflictException if somebody else has published meanwhile
     * @throws IllegalStateException if this engine does not follow what is published
     */
    public long publish(String yaml, long after) {
        return publish(Policies.parse(yaml, "policies"), after);
    }

    /** {@link #publish(String, long)} of policies that were read already. */
    public long publish(Policies policies, long after) {
        if (policies.text().isEmpty()) {
            throw new IllegalArgumentException(
                    "policies: without a text (expected: policies that were read from YAML)");
        }
        return inForce.publish(policies, after);
    }

    /** Stops following files, publications and alerts. The store stays the caller's to close. */
    @Override
    public void close() {
        for (AutoCloseable part : parts) {
            try {
                part.close();
            } catch (Exception e) {
                LOG.log(Level.WARNING, "while closing", e);
            }
        }
        worker.shutdownNow();
    }

    /** What a {@link PolicyEngine} is made of. */
    public static final class Builder {
        private Policies policies = new Policies(List.of(), List.of(), List.of());
        private @Nullable EnvoyConfig envoy;
        private @Nullable Path file;
        private WebhookHosts webhookHosts = WebhookHosts.ANY;
        private @Nullable PolicyStore store;
        private @Nullable String publication;
        private TimeSource time = TimeSource.system();
        private final List<PolicyListener> listeners = new ArrayList<>();
        private final List<AlertListener> alertListeners = new ArrayList<>();

        private Builder() {}

        /** The policies to begin with. */
        public Builder policies(Policies policies) {
            this.policies = Objects.requireNonNull(policies, "policies");
            this.envoy = null;
            return this;
        }

        /** The files of envoyproxy/ratelimit to begin with: their policies, and what requests are matched by. */
        public Builder envoy(EnvoyConfig config) {
            this.policies = config.policies();
            this.envoy = config;
            return this;
        }

        /** The file to read the policies from, now and whenever it changes. */
        public Builder file(Path file) {
            this.file = Objects.requireNonNull(file, "file");
            return this;
        }

        /**
         * The hosts that the alerts of the {@linkplain #file file} may be posted to; a file that names others is refused.
         * What is published was checked by who published it.
         */
        public Builder webhookHosts(WebhookHosts hosts) {
            this.webhookHosts = Objects.requireNonNull(hosts, "hosts");
            return this;
        }

        /** Where to count what is shared; without one, in the memory of this process. Stays the caller's to close. */
        public Builder store(PolicyStore store) {
            this.store = Objects.requireNonNull(store, "store");
            return this;
        }

        /**
         * Follow the policies that are {@linkplain PolicyEngine#publish published} through the store; as long as there are
         * none, those of the builder are in force, and a file is followed.
         */
        public Builder published() {
            return published("policies");
        }

        /** {@link #published()} under another name. */
        public Builder published(String name) {
            this.publication = Objects.requireNonNull(name, "name");
            return this;
        }

        /** The time by which this process counts what it does not share, and by which alerts look back. */
        public Builder time(TimeSource time) {
            this.time = Objects.requireNonNull(time, "time");
            return this;
        }

        /** Who hears when policies change. */
        public Builder listener(PolicyListener listener) {
            listeners.add(Objects.requireNonNull(listener, "listener"));
            return this;
        }

        /** Who hears of alerts. */
        public Builder alertListener(AlertListener listener) {
            alertListeners.add(Objects.requireNonNull(listener, "listener"));
            return this;
        }

        /**
         * Reads the policies and begins.
         *
         * @throws PolicyException if the policies are refused
         * @throws UncheckedIOException if the file cannot be read
         */
        public PolicyEngine build() {
            try {
                return new PolicyEngine(this);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
