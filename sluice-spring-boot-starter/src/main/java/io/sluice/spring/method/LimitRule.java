package io.sluice.spring.method;

import io.sluice.CallLimiter;
import io.sluice.Decision;
import io.sluice.Limit;
import io.sluice.RateLimitedException;
import io.sluice.TimeSource;
import io.sluice.policy.Mode;
import io.sluice.policy.PolicyDecision;
import io.sluice.policy.PolicyResult;
import io.sluice.spring.DecisionObserver;
import java.util.Map;
import java.util.function.Supplier;

/*
 * All limits of annotations share one call limiter, because there the limit comes with the call: if a new version of the application
 * has another limit, the keys keep their use, and old and new replicas can run side by side.
 */
/** Decides by a limit of the annotation, without waiting for permits. */
final class LimitRule implements Rule {
    private final String name;
    private final Limit limit;
    private final boolean keyed;
    private final Supplier<CallLimiter> calls;
    private final Supplier<DecisionObserver> observer;
    private final Supplier<TimeSource> time;

    /** @param keyed whether the annotation has a key */
    LimitRule(
            String name,
            Limit limit,
            boolean keyed,
            Supplier<CallLimiter> calls,
            Supplier<DecisionObserver> observer,
            Supplier<TimeSource> time) {
        this.name = name;
        this.limit = limit;
        this.keyed = keyed;
        this.calls = calls;
        this.observer = observer;
        this.time = time;
    }

    @Override
    public AdmissionFuture admit(Call call) {
        String key = keyed ? KeyText.of(call.key()) : "";
        if (key == null) {
            return AdmissionFuture.admitted();
        }
        AdmissionFuture admission = new AdmissionFuture();
        PolicyDecision decision = observer.get()
                .observe("method", () -> named(calls.get().check(KeyText.of(name, key), call.permits(), limit)));
        finish(admission, key, call.permits(), only(decision));
        return admission;
    }

    @Override
    public AdmissionFuture admitAsync(Call call) {
        String key = keyed ? KeyText.of(call.key()) : "";
        if (key == null) {
            return AdmissionFuture.admitted();
        }
        AdmissionFuture admission = new AdmissionFuture();
        observer.get()
                .observeAsync(
                        "method",
                        () -> calls.get()
                                .checkAsync(KeyText.of(name, key), call.permits(), limit)
                                .thenApply(this::named))
                .whenComplete((decision, failure) -> {
                    if (failure != null) {
                        admission.fail(failure);
                    } else {
                        finish(admission, key, call.permits(), only(decision));
                    }
                });
        return admission;
    }

    /** Observers know decisions of policies. The limiter stands for the policy. */
    private PolicyDecision named(Decision decision) {
        return PolicyDecision.of(new PolicyResult(name, Map.of(), limit, Mode.ENFORCE, decision));
    }

    private static Decision only(PolicyDecision decision) {
        return decision.results().get(0).decision();
    }

    private void finish(AdmissionFuture admission, String key, long permits, Decision decision) {
        Runnable giveBack = () -> calls.get().refundAsync(KeyText.of(name, key), permits);
        if (!decision.allowed()) {
            admission.deny(new RateLimitedException(name, key, permits, decision));
        } else if (decision.delayMicros() > 0) {
            admission.admitAfter(decision.delayMicros(), time.get(), giveBack);
        } else {
            admission.admit(giveBack);
        }
    }
}
