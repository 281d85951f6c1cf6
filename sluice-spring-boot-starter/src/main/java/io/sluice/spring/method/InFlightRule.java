package io.sluice.spring.method;

import io.sluice.Decision;
import io.sluice.Limit;
import io.sluice.Permit;
import io.sluice.RateLimitedException;
import io.sluice.RateLimiter;
import io.sluice.policy.Mode;
import io.sluice.policy.PolicyDecision;
import io.sluice.policy.PolicyPermit;
import io.sluice.policy.PolicyResult;
import io.sluice.spring.DecisionObserver;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Decides by a concurrency limit of the annotation: a call enters, and leaves when it ends. */
final class InFlightRule implements Rule {
    private final String name;
    private final Limit limit;
    private final boolean keyed;
    private final @Nullable Duration maxWait;
    private final Supplier<RateLimiter> limiter;
    private final Supplier<DecisionObserver> observer;

    /**
     * @param keyed whether the annotation has a key
     * @param maxWait null if calls do not wait
     */
    InFlightRule(
            String name,
            Limit limit,
            boolean keyed,
            @Nullable Duration maxWait,
            Supplier<RateLimiter> limiter,
            Supplier<DecisionObserver> observer) {
        this.name = name;
        this.limit = limit;
        this.keyed = keyed;
        this.maxWait = maxWait;
        this.limiter = limiter;
        this.observer = observer;
    }

    @Override
    public AdmissionFuture admit(Call call) {
        return admitAsync(call);
    }

    @Override
    public AdmissionFuture admitAsync(Call call) {
        String key = keyed ? KeyText.of(call.key()) : "";
        if (key == null) {
            return AdmissionFuture.admitted();
        }
        AdmissionFuture admission = new AdmissionFuture();
        observer.get()
                .observeWait(
                        "method",
                        () -> {
                            enter(admission, key, call.permits());
                            return admission;
                        },
                        Admission::denial);
        return admission;
    }

    private void enter(AdmissionFuture admission, String key, long permits) {
        RateLimiter entered = limiter.get();
        if (permits == 0) {
            look(admission, entered, key, 0);
            return;
        }
        CompletionStage<Optional<Permit>> entering =
                maxWait == null ? entered.tryEnterAsync(key) : entered.tryEnterAsync(key, maxWait);
        admission.cancelTogether(entering);
        entering.whenComplete((permit, failure) -> {
            if (failure != null) {
                admission.fail(failure);
            } else if (permit.isPresent()) {
                admission.enter(PolicyPermit.of(named(permit.get().decision()), permit.get()));
            } else {
                look(admission, entered, key, permits);
            }
        });
    }

    /** Denies a call that could not enter, or decides one that asks for nothing. */
    private void look(AdmissionFuture admission, RateLimiter entered, String key, long permits) {
        entered.peekAsync(key, Math.min(1, permits)).whenComplete((decision, failure) -> {
            if (failure != null) {
                admission.fail(failure);
            } else if (permits == 0 && decision.allowed()) {
                admission.admit(() -> {});
            } else {
                admission.deny(new RateLimitedException(name, key, permits, InFlight.retrySoon(limit, decision)));
            }
        });
    }

    private PolicyDecision named(Decision decision) {
        return PolicyDecision.of(new PolicyResult(name, Map.of(), limit, Mode.ENFORCE, decision));
    }
}
