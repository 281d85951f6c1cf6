package io.sluice.spring.method;

import io.sluice.RateLimitedException;
import io.sluice.TimeSource;
import io.sluice.policy.KeyPart;
import io.sluice.policy.Policies;
import io.sluice.policy.Policy;
import io.sluice.policy.PolicyDecision;
import io.sluice.policy.PolicyEngine;
import io.sluice.policy.PolicyPermit;
import io.sluice.policy.PolicyResult;
import io.sluice.policy.PolicySelection;
import io.sluice.spring.DecisionObserver;
import io.sluice.spring.NamedPolicies;
import io.sluice.spring.SluiceSettingsException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/** Decides by a policy. */
final class PolicyRule implements Rule {
    private static final Log LOG = LogFactory.getLog("io.sluice.spring");

    /** The policy in one version of the policies; null if it is not there. */
    private record Found(Policies in, @Nullable Policy policy) {}

    private final AnnotatedMethod method;
    private final String name;
    private final @Nullable CallExpression key;
    private final @Nullable Duration maxWait;
    private final boolean knowsRequest;
    private final Supplier<PolicyEngine> engine;
    private final Supplier<DecisionObserver> observer;
    private final Supplier<TimeSource> time;
    private final PolicySelection selection;
    private final AtomicBoolean warned = new AtomicBoolean();
    private volatile @Nullable Found found;

    /**
     * Creates a rule.
     *
     * @param key the key of the annotation, if it has one
     * @param knowsRequest whether the calls find the HTTP request that they are part of
     */
    PolicyRule(
            AnnotatedMethod method,
            String name,
            @Nullable CallExpression key,
            @Nullable Duration maxWait,
            boolean knowsRequest,
            Supplier<PolicyEngine> engine,
            Supplier<DecisionObserver> observer,
            Supplier<TimeSource> time) {
        this.method = method;
        this.name = name;
        this.key = key;
        this.maxWait = maxWait;
        this.knowsRequest = knowsRequest;
        this.engine = engine;
        this.observer = observer;
        this.time = time;
        this.selection = PolicySelection.only(name);
    }

    @Override
    public void start(PolicyEngine engine, NamedPolicies named) {
        Policies policies = engine.policies();
        Policy policy = find(policies);
        if (policy == null) {
            throw SluiceSettingsException.unknownPolicy(method.where(), name, policies);
        }
        if (key != null && key.isNeverMap() && policy.key().size() != 1) {
            throw method.refuse(
                    wrongKey(policy),
                    policy.key().isEmpty()
                            ? "Remove key, or give the policy a key."
                            : "Write a map of attributes: key = \"{"
                                    + policy.key().get(0).attribute() + ": ...}\".");
        }
        if (!knowsRequest) {
            requireAttributes(policy);
        }
        found = new Found(policies, policy);
        named.add(name);
        LOG.info("Sluice: " + method + " is charged to the policy \"" + name
                + "\"; the filters for HTTP requests leave it out");
    }

    /** Without the request, only the key of the annotation has attributes. A policy that needs others would never be charged. */
    private void requireAttributes(Policy policy) {
        if (key != null && !key.isNeverMap()) {
            return;
        }
        Set<String> missing = key == null ? MissingAttributes.of(policy) : MissingAttributes.of(policy, "");
        if (!missing.isEmpty()) {
            throw method.refuse(
                    "the policy \"" + name + "\" needs " + String.join(", ", missing)
                            + " of the HTTP request, which this method does not know (expected: on WebFlux, a method that returns a"
                            + " Mono or a Flux, or has a parameter of type ServerWebExchange)",
                    "Return a Mono or a Flux, or add the parameter, or give the attributes with key.");
        }
    }

    private @Nullable Policy find(Policies policies) {
        return policies.policies().stream()
                .filter(policy -> policy.name().equals(name))
                .findFirst()
                .orElse(null);
    }

    /** A call on a thread that answers no request: a policy that needs its attributes would silently not limit. */
    @SuppressWarnings("ReferenceEquality") // An identity says that there is no request.
    private void warnWithoutRequest(Policy policy, Call call) {
        if (call.request() != RequestLookup.NO_REQUEST || warned.get()) {
            return;
        }
        Set<String> missing = key == null ? MissingAttributes.of(policy) : MissingAttributes.of(policy, call.key());
        if (!missing.isEmpty() && warned.compareAndSet(false, true)) {
            LOG.warn("Sluice: " + method + " was called on thread "
                    + Thread.currentThread().getName()
                    + ", which answers no HTTP request. There the policy \"" + name
                    + "\" does not limit it, because it needs "
                    + String.join(", ", missing)
                    + ". Give these attributes with key, or call it on the thread of the request");
        }
    }

    private String wrongKey(Policy policy) {
        return "the key is one value, but the policy \"" + name + "\" has "
                + (policy.key().isEmpty() ? "no key" : "the key " + policy.key())
                + " (expected: a map of attributes, or a policy whose key is one attribute)";
    }

    /** The policy as of now; null if it no longer exists. Then it does not limit. */
    @SuppressWarnings("ReferenceEquality") // Another object means a new version of the policies.
    private @Nullable Policy current(PolicyEngine engine) {
        Policies policies = engine.policies();
        Found last = found;
        if (last != null && last.in() == policies) {
            return last.policy();
        }
        Policy policy = find(policies);
        found = new Found(policies, policy);
        if (policy == null && (last == null || last.policy() != null)) {
            LOG.warn("Sluice: " + method + " is no longer limited, because there is no policy \"" + name
                    + "\" any more");
        }
        return policy;
    }

    private Map<String, String> attributes(Policy policy, Call call) {
        warnWithoutRequest(policy, call);
        if (key == null) {
            return call.request();
        }
        if (call.key() instanceof Map<?, ?> map) {
            return CallAttributes.of(map, call.request());
        }
        List<KeyPart> parts = policy.key();
        if (parts.size() != 1) {
            throw new IllegalStateException("@RateLimited on " + method + ": " + wrongKey(policy));
        }
        return CallAttributes.of(parts.get(0).attribute(), call.key(), call.request());
    }

    @Override
    public AdmissionFuture admit(Call call) {
        PolicyEngine current = engine.get();
        Policy policy = current(current);
        if (policy == null) {
            return AdmissionFuture.admitted();
        }
        Map<String, String> attributes = attributes(policy, call);
        if (maxWait != null) {
            return acquire(current, policy, attributes, call.permits(), maxWait);
        }
        AdmissionFuture admission = new AdmissionFuture();
        AtomicReference<@Nullable PolicyPermit> entered = new AtomicReference<>();
        PolicyDecision decision = observer.get().observe("method", () -> {
            PolicyPermit permit = current.enter(selection, attributes, call.permits());
            entered.set(permit);
            return permit.decision();
        });
        finish(
                admission,
                decision,
                entered.get(),
                call.permits(),
                giveBack(current, attributes, call.permits(), decision));
        return admission;
    }

    @Override
    public AdmissionFuture admitAsync(Call call) {
        PolicyEngine current = engine.get();
        Policy policy = current(current);
        if (policy == null) {
            return AdmissionFuture.admitted();
        }
        Map<String, String> attributes = attributes(policy, call);
        if (maxWait != null) {
            return acquire(current, policy, attributes, call.permits(), maxWait);
        }
        AdmissionFuture admission = new AdmissionFuture();
        AtomicReference<@Nullable PolicyPermit> entered = new AtomicReference<>();
        CompletionStage<PolicyDecision> decided = observer.get()
                .observeAsync(
                        "method",
                        () -> decision(current.enterAsync(selection, attributes, call.permits()), admission, entered));
        admission.cancelTogether(decided);
        decided.whenComplete((decision, failure) -> {
            if (failure != null) {
                admission.fail(failure);
            } else {
                finish(
                        admission,
                        decision,
                        entered.get(),
                        call.permits(),
                        giveBack(current, attributes, call.permits(), decision));
            }
        });
        return admission;
    }

    /** The decision of a permit. If the admission is cancelled, so is the permit. */
    private static CompletionStage<PolicyDecision> decision(
            CompletionStage<PolicyPermit> permit,
            AdmissionFuture admission,
            AtomicReference<@Nullable PolicyPermit> entered) {
        admission.cancelTogether(permit);
        return permit.thenApply(taken -> {
            entered.set(taken);
            return taken.decision();
        });
    }

    private AdmissionFuture acquire(
            PolicyEngine engine, Policy policy, Map<String, String> attributes, long permits, Duration timeout) {
        AdmissionFuture admission = new AdmissionFuture();
        CompletionStage<PolicyPermit> acquired = observer.get()
                .observeWait("method", () -> engine.enterAsync(name, attributes, permits, timeout), taken -> null);
        admission.cancelTogether(acquired);
        acquired.whenComplete((permit, failure) -> {
            if (failure != null) {
                admission.fail(InFlight.retrySoon(policy.limit(), failure));
            } else {
                // The engine gives back what a cancelled wait has taken.
                admission.enter(permit);
            }
        });
        return admission;
    }

    private Runnable giveBack(
            PolicyEngine engine, Map<String, String> attributes, long permits, PolicyDecision decision) {
        return () -> engine.refundAsync(selection, attributes, permits, decision);
    }

    private void finish(
            AdmissionFuture admission,
            PolicyDecision decision,
            @Nullable PolicyPermit entered,
            long permits,
            Runnable giveBack) {
        PolicyPermit permit = entered == null ? PolicyPermit.withoutHolds(decision) : entered;
        if (!decision.allowed()) {
            admission.deny(denial(decision, permits));
        } else if (decision.delayMicros() > 0) {
            admission.enterAfter(decision.delayMicros(), time.get(), permit, giveBack);
        } else {
            admission.enter(permit, giveBack);
        }
    }

    private static RateLimitedException denial(PolicyDecision decision, long permits) {
        PolicyResult denied = decision.results().stream()
                .filter(PolicyResult::isViolated)
                .findFirst()
                .orElseThrow();
        return new RateLimitedException(
                denied.policy(),
                String.join(", ", denied.key().values()),
                permits,
                InFlight.retrySoon(denied.limit(), denied.decision()));
    }
}
