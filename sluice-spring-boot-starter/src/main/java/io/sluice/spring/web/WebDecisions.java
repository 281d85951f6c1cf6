package io.sluice.spring.web;

import io.sluice.TimeSource;
import io.sluice.http.ClientAddress;
import io.sluice.policy.Cidr;
import io.sluice.policy.PolicyDecision;
import io.sluice.policy.PolicyEngine;
import io.sluice.policy.PolicyPermit;
import io.sluice.policy.PolicyResult;
import io.sluice.policy.PolicySelection;
import io.sluice.spring.DecisionObserver;
import io.sluice.spring.HttpRequestView;
import io.sluice.spring.NamedPolicies;
import io.sluice.spring.RequestAttribute;
import io.sluice.spring.SluiceProperties;
import io.sluice.spring.SluiceSettingsException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Decides HTTP requests by the policies. Both filters and the gateway use it. Thread-safe. */
public final class WebDecisions {
    private static final PolicyDecision NOTHING = PolicyDecision.of();
    private static final PolicyPermit NOT_ENTERED = PolicyPermit.withoutHolds(NOTHING);

    private final PolicyEngine engine;
    private final NamedPolicies named;
    private final DecisionObserver observer;
    private final Map<String, RequestAttribute> added = new LinkedHashMap<>();
    private final ClientAddress addresses;
    private final RateLimitResponse response;
    private final ExcludedPaths excluded;
    private final boolean enabled;
    private final PolicySelection costs;
    private final boolean hasCosts;
    private final FinishedRequests finished;

    /** @param added the attributes of the application */
    public WebDecisions(
            PolicyEngine engine,
            NamedPolicies named,
            DecisionObserver observer,
            List<RequestAttribute> added,
            SluiceProperties.Web settings,
            TimeSource time) {
        this.engine = engine;
        this.finished = new FinishedRequests(engine, time);
        this.named = named;
        this.observer = observer;
        this.enabled = settings.enabled();
        this.costs = CostPolicies.of(settings, engine);
        this.hasCosts = !settings.costs().isEmpty();
        // A look charges nothing, so the filters must not charge these policies together with the others.
        settings.costs().forEach(named::add);
        added.forEach(this::add);
        this.addresses = new ClientAddress(
                settings.trustedProxies().stream().map(WebDecisions::network).toList(), settings.forwardedHeader());
        this.response = new RateLimitResponse(settings);
        this.excluded = new ExcludedPaths(settings.exclude());
    }

    private void add(RequestAttribute attribute) {
        if (added.putIfAbsent(attribute.name(), attribute) != null) {
            throw new SluiceSettingsException(
                    "RequestAttribute \"" + attribute.name() + "\": two beans have this name (expected: one)",
                    "Remove one of them, or give it another name.");
        }
    }

    private static Cidr network(String text) {
        try {
            return Cidr.parse(text);
        } catch (IllegalArgumentException e) {
            throw new SluiceSettingsException(
                    "sluice.web.trusted-proxies: " + e.getMessage(),
                    "Write addresses such as 10.0.0.7, or networks such as 10.0.0.0/8.");
        }
    }

    /** Finds the address of a client. */
    public ClientAddress addresses() {
        return addresses;
    }

    /** The headers and bodies of responses. */
    public RateLimitResponse response() {
        return response;
    }

    /** Whether a policy needs this attribute and the application does not add it itself. */
    public boolean needs(String attribute) {
        return !added.containsKey(attribute) && engine.attributes().contains(attribute);
    }

    /** Whether a policy needs the user, or an attribute of the application, which may look at the user. */
    public boolean needsPrincipal() {
        Set<String> names = engine.attributes();
        if (names.contains("user")) {
            return true;
        }
        for (String name : added.keySet()) {
            if (names.contains(name)) {
                return true;
            }
        }
        return false;
    }

    /** Whether the filters decide a request, by {@code sluice.web.enabled} and {@code sluice.web.exclude}. */
    public boolean decides(HttpRequestView request) {
        return enabled && !excluded.contain(request.path());
    }

    /** The attributes of a request. */
    public RequestAttributes attributes(HttpRequestView request) {
        return new RequestAttributes(added, request);
    }

    /** Decides a request by all policies that no annotation names, and lets it enter. May block for a round trip to the store. */
    public Entered enter(RequestAttributes attributes) {
        AtomicReference<PolicyPermit> entered = new AtomicReference<>(NOT_ENTERED);
        PolicyDecision decision = observer.observe("web", () -> {
            PolicyDecision look = hasCosts ? engine.check(costs, attributes, 0) : NOTHING;
            if (!look.allowed()) {
                return look;
            }
            PolicyPermit permit = engine.enter(others(), attributes, 1);
            entered.set(permit);
            return both(look, permit.decision());
        });
        return new Entered(decision, Objects.requireNonNull(entered.get()));
    }

    /** {@link #enter} without blocking. */
    public WebEntry enterAsync(RequestAttributes attributes) {
        return entry("web", () -> {
            Supplier<CompletionStage<PolicyPermit>> enter = () -> engine.enterAsync(others(), attributes, 1);
            return hasCosts
                    ? Entering.after(engine.checkAsync(costs, attributes, 0), enter, WebDecisions::both)
                    : Entering.of(enter.get());
        });
    }

    private WebEntry entry(String surface, Supplier<Entering> enter) {
        AtomicReference<@Nullable Entering> begun = new AtomicReference<>();
        CompletionStage<PolicyDecision> observed = observer.observeAsync(surface, () -> {
            Entering entering = enter.get();
            begun.set(entering);
            return entering;
        });
        return new WebEntry(observed, Objects.requireNonNull(begun.get(), "the observer has made no decision"));
    }

    /** Reports the latency of an admitted request, and whether it failed, to the policies that follow these signals. */
    public void watch(RequestScope scope) {
        finished.watch(scope);
    }

    /** Gives back what {@link #enter} has charged: the request goes away before its turn. */
    public void giveBack(RequestAttributes attributes, PolicyDecision decision) {
        giveBack(others(), attributes, decision);
    }

    /** {@link #giveBack(RequestAttributes, PolicyDecision)} to some of the policies. */
    public void giveBack(PolicySelection selection, RequestAttributes attributes, PolicyDecision decision) {
        engine.refundAsync(selection, attributes, 1, decision);
    }

    /** The policies that a request is charged on when it arrives. */
    private PolicySelection others() {
        return named.others();
    }

    private static PolicyDecision both(PolicyDecision look, PolicyDecision decision) {
        return look.results().isEmpty()
                ? decision
                : PolicyDecision.of(Stream.concat(look.results().stream(), decision.results().stream())
                        .toArray(PolicyResult[]::new));
    }

    /**
     * Decides a request by some of the policies, and lets it enter, without blocking.
     *
     * @param surface where the decision is made, see {@link DecisionObserver#observe}
     */
    public WebEntry enterAsync(String surface, PolicySelection selection, RequestAttributes attributes) {
        return entry(surface, () -> Entering.of(engine.enterAsync(selection, attributes, 1)));
    }
}
