package io.sluice.policy;

import io.sluice.Charge;
import io.sluice.TimeSource;
import io.sluice.exact.Exact;
import io.sluice.memory.MemoryStore;
import io.sluice.policy.alert.AlertWatch;
import io.sluice.policy.engine.ActivePolicies;
import io.sluice.policy.engine.EditionFollower;
import io.sluice.policy.engine.Explainer;
import io.sluice.policy.engine.Installer;
import io.sluice.policy.engine.KeyInspector;
import io.sluice.policy.engine.PolicyWaiter;
import io.sluice.policy.engine.RequestDecider;
import io.sluice.policy.engine.RequestEnterer;
import io.sluice.policy.engine.RequestReserver;
import io.sluice.policy.engine.SignalFactors;
import io.sluice.policy.engine.TemporaryLimits;
import io.sluice.policy.envoy.EnvoyConfig;
import io.sluice.policy.explain.Explanation;
import io.sluice.policy.match.KeyParser;
import io.sluice.policy.metrics.DecisionTimer;
import io.sluice.policy.metrics.PolicyCounters;
import io.sluice.policy.top.TopKeyCounter;
import io.sluice.policy.watch.DaemonThreads;
import io.sluice.policy.watch.PolicyFileWatch;
import io.sluice.policy.yaml.YamlText;
import io.sluice.spi.HoldKeeper;
import io.sluice.spi.LimitChangedException;
import io.sluice.spi.PolicyStore;
import io.sluice.spi.Publication;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.System.Logger.Level;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.function.DoubleSupplier;
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
 * <p>The policies can be replaced while the engine runs: by {@link #replace}, by a {@linkplain Builder#file file} that
 * changes, or {@linkplain Builder#published through the store}. Used permits stay used, and one version of the policies
 * decides each request as a whole. Thread-safe; create one engine for the life of the process.
 */
public final class PolicyEngine implements AutoCloseable {
    private static final Duration SHORTEST_TTL = Duration.ofSeconds(1);
    private static final Duration LONGEST_TTL = Duration.ofHours(1);

    private static final System.Logger LOG = System.getLogger("io.sluice.policy");

    private final TemporaryLimits temporaries;
    private final SignalFactors factors;
    private final Installer installer;
    private final TimeSource time;
    private final PolicyCounters requests;
    private final AlertWatch alerts;
    private final TopKeyCounter top;
    private final DecisionTimer timer = new DecisionTimer();
    private final ActivePolicies active;
    private final RequestDecider decider;
    private final PolicyWaiter waiter;
    private final RequestReserver reserver;
    private final RequestEnterer enterer;
    private final HoldKeeper keeper;
    private final List<PolicyListener> listeners = new CopyOnWriteArrayList<>();
    private final ExecutorService worker = DaemonThreads.background("sluice-policy");
    private final List<AutoCloseable> parts = new ArrayList<>();

    private PolicyEngine(Builder builder) throws IOException {
        // First read the policies: if they are refused, nothing was started.
        Path file = builder.file;
        byte[] read = file == null ? new byte[0] : YamlText.readBytes(file);
        Policies initial =
                file == null ? builder.policies : Policies.parse(read, file.toString(), builder.webhookHosts);
        PolicyStore store =
                builder.store == null ? MemoryStore.builder().time(builder.time).build() : builder.store;
        MemoryStore own = store instanceof MemoryStore memory
                ? memory
                : MemoryStore.builder().time(builder.time).build();
        time = builder.time;
        requests = PolicyCounters.ofRequests(own::evictions);
        temporaries = new TemporaryLimits(store, own, builder.time);
        factors = new SignalFactors(builder.time, builder.signals, builder.onlyReportedSignals);
        installer = new Installer(store, own, temporaries, factors);
        listeners.addAll(builder.listeners);
        alerts = new AlertWatch(builder.time, requests, installer::counters);
        top = new TopKeyCounter(builder.time);
        parts.add(alerts);
        parts.add(top::close);
        Publication publication = builder.publication == null ? null : store.publication(builder.publication);
        active = new ActivePolicies(
                installer,
                publication,
                listeners,
                policies -> {
                    alerts.watch(policies.alerts());
                    factors.watch(policies);
                },
                initial,
                file == null ? builder.envoy : null);
        parts.add(active::close);
        parts.add(factors);
        factors.applyBy(active::applyFactors);
        decider = new RequestDecider(active, store, own, installer, requests, top, timer);
        reserver = new RequestReserver(active, decider, store, own, temporaries, requests, top, timer);
        keeper = new HoldKeeper(time);
        enterer = new RequestEnterer(active, decider, store, own, requests, top, timer);
        waiter = new PolicyWaiter(active, decider, requests, top);
        builder.alertListeners.forEach(alerts::add);
        if (publication != null) {
            parts.add(new EditionFollower(publication, worker, active));
        }
        if (file != null) {
            parts.add(new PolicyFileWatch(file, read, builder.webhookHosts, worker, active));
        }
    }

    /** A builder of an engine. By default it has no policies, and counts in the memory of this process. */
    public static Builder builder() {
        return new Builder();
    }

    /** {@link #check(Map, long)} for one permit. */
    public PolicyDecision check(Map<String, String> attributes) {
        return check(attributes, 1);
    }

    /**
     * Decides a request and charges it. Policies that limit concurrency do not apply, because the caller could not give back: see
     * {@link #enter(Map, long)}.
     *
     * @param attributes the attributes of the request, such as {@code tenant=acme path=/api/orders}
     * @param permits the cost of the request; 0 charges nothing
     */
    public PolicyDecision check(Map<String, String> attributes, long permits) {
        return check(PolicySelection.all(), attributes, permits);
    }

    /** {@link #check(Map, long)} by some of the policies. */
    public PolicyDecision check(PolicySelection selection, Map<String, String> attributes, long permits) {
        return decider.check(selection, attributes, requirePermits(permits));
    }

    /** {@link #check(Map, long)} without blocking. Cancelling the stage's future gives the permits back. */
    public CompletionStage<PolicyDecision> checkAsync(Map<String, String> attributes, long permits) {
        return checkAsync(PolicySelection.all(), attributes, permits);
    }

    /** {@link #check(PolicySelection, Map, long)} without blocking. Cancelling the stage's future gives the permits back. */
    public CompletionStage<PolicyDecision> checkAsync(
            PolicySelection selection, Map<String, String> attributes, long permits) {
        return decider.checkAsync(selection, attributes, requirePermits(permits));
    }

    /**
     * Charges a cost that is known only now, whatever is left. Every policy that applies is charged, even into debt, except those that
     * limit concurrency.
     *
     * @param permits the cost
     * @return the decision of {@link #check(Map, long)} for 0 permits, right after the charge: denied while in debt
     */
    public PolicyDecision charge(Map<String, String> attributes, long permits) {
        return charge(PolicySelection.all(), attributes, permits);
    }

    /** {@link #charge(Map, long)} by some of the policies. */
    public PolicyDecision charge(PolicySelection selection, Map<String, String> attributes, long permits) {
        return decider.charge(selection, attributes, requirePermits(permits));
    }

    /** {@link #charge(Map, long)} without blocking. */
    public CompletionStage<PolicyDecision> chargeAsync(Map<String, String> attributes, long permits) {
        return chargeAsync(PolicySelection.all(), attributes, permits);
    }

    /** {@link #charge(PolicySelection, Map, long)} without blocking. */
    public CompletionStage<PolicyDecision> chargeAsync(
            PolicySelection selection, Map<String, String> attributes, long permits) {
        return decider.chargeAsync(selection, attributes, requirePermits(permits));
    }

    /**
     * Gives back the permits that an allowed request has taken, as {@link io.sluice.RateLimiter#refund} does: for a request that was
     * told a delay, and goes away before its turn. Does nothing for a denied request, and for policies that were decided without the
     * store.
     *
     * @param selection the policies by which it was decided
     * @param attributes the attributes of the request
     * @param permits its cost
     * @param decision the decision on it
     */
    public CompletionStage<Void> refundAsync(
            PolicySelection selection, Map<String, String> attributes, long permits, PolicyDecision decision) {
        return decider.refundAsync(selection, attributes, requirePermits(permits), decision);
    }

    /** {@link #reserve(Map, long, Duration)} for one minute. */
    public PolicyReservation reserve(Map<String, String> attributes, long estimate) {
        return reserve(attributes, estimate, PolicyReservation.DEFAULT_TTL);
    }

    /**
     * Decides and charges a request whose cost is known only later, by an estimate. {@link PolicyReservation#settle} replaces the
     * estimate by the true cost. A denied request charges nothing, not even policies with {@code charge: always}.
     *
     * @param estimate what the request will probably cost
     * @param ttl how long it can be settled, 1 s to 1 h. After that, the estimate stays charged.
     */
    public PolicyReservation reserve(Map<String, String> attributes, long estimate, Duration ttl) {
        return join(reserveAsync(attributes, estimate, ttl));
    }

    /** {@link #reserve(Map, long)} without blocking. */
    public CompletionStage<PolicyReservation> reserveAsync(Map<String, String> attributes, long estimate) {
        return reserveAsync(attributes, estimate, PolicyReservation.DEFAULT_TTL);
    }

    /** {@link #reserve(Map, long, Duration)} without blocking. Cancelling the stage's future gives the permits back. */
    public CompletionStage<PolicyReservation> reserveAsync(
            Map<String, String> attributes, long estimate, Duration ttl) {
        return reserveAsync(PolicySelection.all(), attributes, estimate, ttl);
    }

    /** {@link #reserveAsync(Map, long, Duration)} by some of the policies. */
    public CompletionStage<PolicyReservation> reserveAsync(
            PolicySelection selection, Map<String, String> attributes, long estimate, Duration ttl) {
        requirePermits(estimate);
        if (ttl.compareTo(SHORTEST_TTL) < 0 || ttl.compareTo(LONGEST_TTL) > 0) {
            throw new IllegalArgumentException("ttl: " + ttl + " (expected: 1 s to 1 h)");
        }
        return reserver.reserveAsync(
                selection,
                attributes,
                estimate,
                ttl,
                (decision, text) -> new PolicyReservation(this, decision, Optional.ofNullable(text)));
    }

    /**
     * Settles a reservation that this process or another one on the same store has made. The part of policies of scope process is
     * settled only by the process that made it.
     *
     * @param reservation see {@link PolicyReservation#text()}
     * @param actual the true cost
     * @return see {@link PolicyReservation#settle}
     * @throws IllegalArgumentException if the text does not name a reservation
     */
    public PolicyDecision settle(String reservation, long actual) {
        return join(settleAsync(reservation, actual));
    }

    /** {@link #settle(String, long)} without blocking. */
    public CompletionStage<PolicyDecision> settleAsync(String reservation, long actual) {
        return reserver.settleAsync(reservation, requirePermits(actual));
    }

    /** {@link #enter(Map, long)} for one permit. */
    public PolicyPermit enter(Map<String, String> attributes) {
        return enter(attributes, 1);
    }

    /**
     * Decides a request and charges it, and lets it enter the policies that limit {@linkplain io.sluice.Concurrency concurrency}: it
     * holds one permit of each until it leaves. Never waits for permits.
     *
     * <pre>{@code
     * try (PolicyPermit permit = engine.enter(attributes)) {
     *     if (!permit.allowed()) ...
     * }
     * }</pre>
     *
     * @param permits the cost of the request to all other policies; 0 charges nothing and holds nothing
     * @return close it when the work is done, also if it was denied. What is held is renewed in the background until then.
     */
    public PolicyPermit enter(Map<String, String> attributes, long permits) {
        return enter(PolicySelection.all(), attributes, permits);
    }

    /** {@link #enter(Map, long)} by some of the policies. */
    public PolicyPermit enter(PolicySelection selection, Map<String, String> attributes, long permits) {
        return permit(enterer.enter(selection, attributes, requirePermits(permits)));
    }

    private PolicyPermit permit(EnteredRequest entered) {
        return entered.holds()
                .map(text -> RenewedHolds.begin(this, keeper, time, text, entered.renewEvery()))
                .map(holds -> PolicyPermit.of(entered.decision(), holds))
                .orElseGet(() -> PolicyPermit.withoutHolds(entered.decision()));
    }

    /** {@link #enter(Map, long)} without blocking. Cancelling the stage's future gives everything back. */
    public CompletionStage<PolicyPermit> enterAsync(Map<String, String> attributes, long permits) {
        return enterAsync(PolicySelection.all(), attributes, permits);
    }

    /** {@link #enter(PolicySelection, Map, long)} without blocking. Cancelling the stage's future gives everything back. */
    public CompletionStage<PolicyPermit> enterAsync(
            PolicySelection selection, Map<String, String> attributes, long permits) {
        return enterer.enterAsync(selection, attributes, requirePermits(permits), this::permit);
    }

    /**
     * Waits until one policy lets the request enter. Gives up after a timeout. Other policies are not charged. For a policy that does not
     * limit concurrency, it waits as {@link #acquireAsync} does, and holds nothing.
     *
     * @param timeout the maximum wait
     * @return a stage that completes when the request has entered, or when the policy does not deny. It fails as that of {@link
     *     #acquireAsync} does. Cancelling its future ends the wait and gives everything back.
     */
    public CompletionStage<PolicyPermit> enterAsync(
            String policy, Map<String, String> attributes, long permits, Duration timeout) {
        return waiter.enterAsync(
                policy,
                attributes,
                requirePermits(permits),
                timeout,
                () -> enterAsync(PolicySelection.only(policy), attributes, permits),
                PolicyPermit::of);
    }

    /**
     * {@link #enter(Map, long)} for a caller that {@linkplain #renew renews} and {@linkplain #release releases} what is held itself,
     * by its text. Nothing is renewed in the background.
     */
    public EnteredRequest hold(Map<String, String> attributes, long permits) {
        return enterer.enter(PolicySelection.all(), attributes, requirePermits(permits));
    }

    /** {@link #hold(Map, long)} without blocking. Cancelling the stage's future gives everything back. */
    public CompletionStage<EnteredRequest> holdAsync(Map<String, String> attributes, long permits) {
        return enterer.enterAsync(PolicySelection.all(), attributes, requirePermits(permits));
    }

    /**
     * Releases what a request holds. Any process on the same store can do it; what policies of scope process hold, only the one that
     * the request entered.
     *
     * @param holds see {@link EnteredRequest#holds()}
     * @throws io.sluice.HoldEndedException if nothing is held any more: it was released before, or it has lapsed
     * @throws IllegalArgumentException if the text does not name held permits
     * @throws io.sluice.StoreUnavailableException if the store does not answer; then try again, or let it lapse
     */
    public void release(String holds) {
        join(releaseAsync(holds));
    }

    /** {@link #release} without blocking. */
    public CompletionStage<Void> releaseAsync(String holds) {
        return enterer.releaseAsync(holds);
    }

    /**
     * Renews what a request holds: from now on it is held for as long as its limits say.
     *
     * @param holds see {@link EnteredRequest#holds()}
     * @throws io.sluice.HoldEndedException if some of it is not held any more; then nothing is renewed
     * @throws IllegalArgumentException if the text does not name held permits
     * @throws io.sluice.StoreUnavailableException if the store does not answer; then try again
     */
    public void renew(String holds) {
        join(renewAsync(holds));
    }

    /** {@link #renew} without blocking. */
    public CompletionStage<Void> renewAsync(String holds) {
        return enterer.renewAsync(holds);
    }

    private static <T> T join(CompletionStage<T> stage) {
        try {
            return stage.toCompletableFuture().join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            throw e;
        }
    }

    /**
     * Waits until one policy has permits, and takes them. Gives up after a timeout. Other policies are not charged.
     *
     * <p>Nothing waits if the policy does not apply to the request, only reports ({@link Mode#SHADOW}), or keeps permits from
     * the request ({@code reserve}): then the answer is that of {@link #check(PolicySelection, Map, long)}.
     *
     * @param timeout the maximum wait
     * @return a stage that completes when the permits are taken, or when the policy does not deny. It fails with {@link
     *     io.sluice.RateLimitedException} if the permits are not free in time, at once if that is certain. Cancelling its
     *     future ends the wait and gives the permits back.
     */
    public CompletionStage<Void> acquireAsync(
            String policy, Map<String, String> attributes, long permits, Duration timeout) {
        return waiter.acquireAsync(policy, attributes, requirePermits(permits), timeout);
    }

    /**
     * Denies the key of one policy for a duration, whatever its limit says, see {@link io.sluice.RateLimiter#pause}. Does
     * nothing if the policy does not apply to the request.
     */
    public CompletionStage<Void> pauseAsync(String policy, Map<String, String> attributes, Duration duration) {
        return waiter.pauseAsync(policy, attributes, duration);
    }

    /** The names of the attributes that the active policies use, in their matches and keys. */
    public Set<String> attributes() {
        return active.rules().attributeNames();
    }

    /**
     * Decides several requests and charges all of them, or none. Policies that limit concurrency never apply. Each has its own verdict. Where two of them take
     * permits of one key under one limit, both get the verdict on their sum, see {@link PolicyStore#decide}.
     *
     * @param also further charges on limiters of the engine's store, decided in the same step
     */
    public PolicyDecisions check(List<PolicyRequest> requests, List<Charge> also) {
        return decider.check(requests, also);
    }

    /** {@link #check(List, List)} without blocking. Cancelling the stage's future gives the permits back. */
    public CompletionStage<PolicyDecisions> checkAsync(List<PolicyRequest> requests, List<Charge> also) {
        return decider.checkAsync(requests, also);
    }

    /** The active policies, for callers that have to look at the policies before they make a request. */
    public PolicyView view() {
        return new PolicyView(active.rules(), 1);
    }

    /**
     * The policies to use instead of those of an outdated view, after {@code check} threw {@link
     * LimitChangedException}.
     *
     * @return usually complete already
     */
    public CompletionStage<PolicyView> viewAfter(PolicyView outdated) {
        return decider.replacementForAsync(outdated.rules, outdated.tries)
                .thenApply(rules -> new PolicyView(rules, outdated.tries + 1));
    }

    /**
     * {@link #check(List, List)} by the policies of a view.
     *
     * @throws LimitChangedException if limits of these policies are no longer in force; then nothing was decided, and
     *     the caller should try again with {@link #viewAfter}
     */
    public PolicyDecisions check(PolicyView view, List<PolicyRequest> requests, List<Charge> also) {
        return decider.check(view.rules, requests, also);
    }

    /** {@link #check(PolicyView, List, List)} without blocking. */
    public CompletionStage<PolicyDecisions> checkAsync(
            PolicyView view, List<PolicyRequest> requests, List<Charge> also) {
        return decider.checkAsync(view.rules, requests, also);
    }

    private static long requirePermits(long permits) {
        if (permits < 0) {
            throw new IllegalArgumentException("permits: " + permits + " (expected: >= 0)");
        }
        return permits;
    }

    /** Explains which policies apply to a request and why, and what they would decide now. Charges nothing. */
    public Explanation explain(Map<String, String> attributes, long permits) {
        return Explainer.explain(active.rules(), attributes, requirePermits(permits), time.wallMicros());
    }

    /**
     * The status of the keys that a request with these attributes would be charged on, in the order of the policies.
     * Charges nothing.
     */
    public CompletionStage<List<KeyStatus>> inspect(Map<String, String> attributes) {
        return KeyInspector.of(active.rules(), attributes, time).inspect();
    }

    /**
     * The status of one key of a policy, under its own limit and under that of each override. Charges nothing.
     *
     * @param key the values of the key's attributes
     * @throws java.util.NoSuchElementException if there is no such policy, or it is off
     * @throws IllegalArgumentException if these are not the attributes of its key
     */
    public CompletionStage<List<KeyStatus>> inspect(String policy, Map<String, String> key) {
        return KeyInspector.of(active.rules(), policy, key, time).inspect();
    }

    /**
     * Resets the keys of {@link #inspect(Map)}, lockouts included, and returns their status afterwards. Fails with
     * {@link IllegalStateException} if the store cannot be reached.
     */
    public CompletionStage<List<KeyStatus>> reset(Map<String, String> attributes) {
        return KeyInspector.of(active.rules(), attributes, time).reset();
    }

    /** {@link #reset(Map)} for the key of {@link #inspect(String, Map)}. */
    public CompletionStage<List<KeyStatus>> reset(String policy, Map<String, String> key) {
        return KeyInspector.of(active.rules(), policy, key, time).reset();
    }

    /**
     * Pauses the key of {@link #inspect(String, Map)}: it is denied for a duration, whatever its limits say. A reset ends the
     * pause. Returns the status afterwards. Fails with {@link UnsupportedOperationException} if the key has a temporary override.
     */
    public CompletionStage<List<KeyStatus>> pause(String policy, Map<String, String> key, Duration duration) {
        return KeyInspector.of(active.rules(), policy, key, time).pause(duration);
    }

    /**
     * Replaces all temporary overrides, in this process. An override of a policy that does not exist, or that has another key,
     * does nothing.
     */
    public void temporaryOverrides(List<TemporaryOverride> overrides) {
        temporaries.set(overrides);
    }

    /**
     * The key of a policy as it is shown, from the values of its attributes.
     *
     * @throws java.util.NoSuchElementException if there is no such policy, or it is off
     * @throws IllegalArgumentException if these are not the attributes of its key
     */
    public Map<String, String> displayKey(String policy, Map<String, String> key) {
        return KeyInspector.display(active.rules(), policy, key);
    }

    /** The key that a request has under a policy, as it is shown; empty if the policy does not apply. */
    public Optional<Map<String, String>> keyOf(String policy, Map<String, String> attributes) {
        return KeyInspector.keyOf(active.rules(), policy, attributes);
    }

    /**
     * The override of a policy that a request with these attributes has, if the policy applies to it; empty if it has the policy's
     * own limit.
     *
     * @throws java.util.NoSuchElementException if there is no such policy, or it is off
     */
    public Optional<LimitOverride> overrideOf(String policy, Map<String, String> attributes) {
        return KeyInspector.overrideOf(active.rules(), policy, attributes);
    }

    /** The temporary overrides that hold now. */
    public List<TemporaryOverride> temporaryOverrides() {
        return temporaries.current();
    }

    /**
     * Prepares a temporary override, before it is one of the {@link #temporaryOverrides(List)}: what its key has used is charged
     * to it. The key of the override must be a key of the policy.
     *
     * @throws java.util.NoSuchElementException if there is no such policy, or it is off
     * @throws IllegalArgumentException if these are not the attributes of its key
     */
    public CompletionStage<Void> beginTemporary(TemporaryOverride override) {
        return temporaries.begin(active.rules(), override);
    }

    /** The active policies. */
    public Policies policies() {
        return active.rules().policies();
    }

    /**
     * The version of the active policies. If they come through the store, this is the number of the edition, 0 before
     * the first. Else it starts at 1 and grows with each replacement.
     */
    public long version() {
        return active.rules().version();
    }

    /** The number of the latest known edition, even if it was refused; 0 if there is none. */
    public long edition() {
        return active.latestEdition();
    }

    /** The keys with the most requests and the most denials, over the last one to two minutes. */
    public TopKeys topKeys() {
        return top;
    }

    /**
     * The attributes of a top key, by the text of the key's parts; empty if the key is too long to be stored as text.
     */
    public Optional<Map<String, String>> key(TopKey top) {
        return policies().policies().stream()
                .filter(policy -> policy.name().equals(top.policy()))
                .findFirst()
                .map(policy -> KeyParser.parse(policy.key(), top.key()));
    }

    /** The number of decisions so far. */
    public DecisionCounts counts() {
        return PolicyCounters.read(requests, installer.counters());
    }

    /**
     * The running counters of each policy, by its name, for metrics. A view: policies that come later are in it, and so are
     * policies that no longer exist.
     */
    public Map<String, OutcomeCounters> counters() {
        return Collections.unmodifiableMap(installer.counters());
    }

    /** The running counters of all requests, for metrics. */
    public OutcomeCounters requestCounters() {
        return requests;
    }

    /**
     * The limits in force, in the order of the policies: of each policy its own limit, then those of its overrides. Policies
     * that are off have none. Returns the same list until the policies or limits change.
     */
    public List<LimitInForce> limits() {
        return active.rules().limits();
    }

    /**
     * The factor of each policy whose limits {@linkplain Adapt follow a signal}, by its name. A factor that has just changed is in force
     * when the limits are, see {@link #limits()}.
     */
    public Map<String, BigDecimal> factors() {
        return active.rules().factors();
    }

    /**
     * Reports that a request has ended, for policies that follow the signals {@link Adapt#LATENCY} and {@link Adapt#ERRORS}. Call it for
     * each request that was admitted, and not for those that were denied.
     *
     * @param latency how long it took
     * @param isFailure whether it failed
     */
    public void finished(Duration latency, boolean isFailure) {
        factors.finished(latency.isNegative() ? 0 : Exact.microsUp("latency", latency), isFailure);
    }

    /**
     * Reports values of signals, by their names, as of now. The last value of a signal holds until the next. Besides, the signals that
     * the engine measures itself are read at each {@code every}.
     */
    public void signals(Map<String, Double> values) {
        factors.report(values);
    }

    /**
     * When a limit that {@linkplain Adapt follows a signal} may change next, in microseconds, if no value is reported before. {@link
     * Long#MAX_VALUE} if all stay as they are. Who sets the time calls {@link #signals} at that time, so that the limit changes then and not
     * with the next request.
     */
    public long nextSignalMicros() {
        return factors.nextChangeMicros();
    }

    /** Adds a listener for changes of the policies. */
    public void addListener(PolicyListener listener) {
        listeners.add(Objects.requireNonNull(listener, "listener"));
    }

    /** Removes a listener for changes of the policies. */
    public void removeListener(PolicyListener listener) {
        listeners.remove(listener);
    }

    /** Adds a listener for the latency of decisions. Decisions are timed only while there is one. */
    public void addLatencyListener(LatencyListener listener) {
        timer.add(Objects.requireNonNull(listener, "listener"));
    }

    /** Removes a listener for the latency of decisions. */
    public void removeLatencyListener(LatencyListener listener) {
        timer.remove(listener);
    }

    /** Adds a listener for alerts. */
    public void addAlertListener(AlertListener listener) {
        alerts.add(Objects.requireNonNull(listener, "listener"));
    }

    /** The alerts that fire now. */
    public List<AlertEvent> firing() {
        return alerts.firing();
    }

    /**
     * Puts other policies in force, in this process. Used permits stay used: the state belongs to the name of a policy.
     *
     * @throws IllegalStateException if the policies come {@linkplain Builder#published through the store}
     */
    public void replace(Policies policies) {
        active.replace(policies, null);
    }

    /**
     * {@link #replace(Policies)} for envoyproxy/ratelimit files, by which requests are matched, see {@link #view()}.
     */
    public void replace(EnvoyConfig config) {
        active.replace(config.policies(), config);
    }

    /**
     * Publishes policies through the store. They are in force in this process when this method returns, and in every
     * other process within a second.
     *
     * @param yaml the text of a policy file
     * @param after the {@link #edition()} that they replace
     * @return the new version
     * @throws PolicyException if the policies are refused
     * @throws io.sluice.spi.EditionConflictException if another process has published since that edition
     * @throws IllegalStateException if this engine does not follow published policies
     */
    public long publish(String yaml, long after) {
        return publish(Policies.parse(yaml, "policies"), after);
    }

    /** {@link #publish(String, long)} for policies that were read from YAML before. */
    public long publish(Policies policies, long after) {
        if (policies.text().isEmpty()) {
            throw new IllegalArgumentException(
                    "policies: without a text (expected: policies that were read from YAML)");
        }
        return active.publish(policies, after);
    }

    /** Stops following files, publications and alerts. Does not close the store. */
    @Override
    public void close() {
        for (AutoCloseable part : parts) {
            try {
                part.close();
            } catch (Exception e) {
                LOG.log(Level.WARNING, "closing the policy engine failed", e);
            }
        }
        worker.shutdownNow();
    }

    /** Builds a {@link PolicyEngine}. */
    public static final class Builder {
        private Policies policies = new Policies(List.of(), List.of(), List.of());
        private @Nullable EnvoyConfig envoy;
        private @Nullable Path file;
        private WebhookHosts webhookHosts = WebhookHosts.ANY;
        private @Nullable PolicyStore store;
        private @Nullable String publication;
        private TimeSource time = TimeSource.system();
        private final Map<String, DoubleSupplier> signals = new HashMap<>();
        private boolean onlyReportedSignals;
        private final List<PolicyListener> listeners = new ArrayList<>();
        private final List<AlertListener> alertListeners = new ArrayList<>();

        private Builder() {}

        /** The initial policies. */
        public Builder policies(Policies policies) {
            this.policies = Objects.requireNonNull(policies, "policies");
            this.envoy = null;
            return this;
        }

        /** The initial envoyproxy/ratelimit files: their policies, and the rules by which requests are matched. */
        public Builder envoy(EnvoyConfig config) {
            this.policies = config.policies();
            this.envoy = config;
            return this;
        }

        /** The file with the policies. The engine reads it now, and again whenever it changes. */
        public Builder file(Path file) {
            this.file = Objects.requireNonNull(file, "file");
            return this;
        }

        /**
         * The hosts that the alerts of the {@linkplain #file file} may be posted to. A file that names other hosts is
         * refused. Published policies are not checked here: their publisher has checked them.
         */
        public Builder webhookHosts(WebhookHosts hosts) {
            this.webhookHosts = Objects.requireNonNull(hosts, "hosts");
            return this;
        }

        /**
         * The store that counts for policies of scope shared. Default: the memory of this process. The engine does not
         * close the store.
         */
        public Builder store(PolicyStore store) {
            this.store = Objects.requireNonNull(store, "store");
            return this;
        }

        /**
         * Makes the engine follow the policies that are {@linkplain PolicyEngine#publish published} through the store.
         * Before the first publication, the policies of this builder are in force, and its file is followed.
         */
        public Builder published() {
            return published("policies");
        }

        /** {@link #published()} under another name. */
        public Builder published(String name) {
            this.publication = Objects.requireNonNull(name, "name");
            return this;
        }

        /**
         * A signal that policies can {@linkplain Adapt follow} by its name. It is read at each {@code every}; {@code NaN} means that there
         * is no value, so that the limits stay as they are. It must not block. A signal named {@code cpu}, {@code latency} or {@code errors} replaces that of the engine.
         */
        public Builder signal(String name, DoubleSupplier signal) {
            signals.put(Objects.requireNonNull(name, "name"), Objects.requireNonNull(signal, "signal"));
            return this;
        }

        /**
         * Measures nothing: all values of signals come from {@link PolicyEngine#signals}. So with a clock that stands still, decisions
         * depend on nothing else. For recorded requests and tests.
         */
        public Builder onlyReportedSignals() {
            this.onlyReportedSignals = true;
            return this;
        }

        /** The clock for policies of scope process, for alerts and for top keys. Default: the system clock. */
        public Builder time(TimeSource time) {
            this.time = Objects.requireNonNull(time, "time");
            return this;
        }

        /** A listener for changes of the policies. */
        public Builder listener(PolicyListener listener) {
            listeners.add(Objects.requireNonNull(listener, "listener"));
            return this;
        }

        /** A listener for alerts. */
        public Builder alertListener(AlertListener listener) {
            alertListeners.add(Objects.requireNonNull(listener, "listener"));
            return this;
        }

        /**
         * Reads the policies and starts the engine.
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
