package io.sluice.spring.method;

import io.sluice.RateLimitedException;
import io.sluice.RateLimiter;
import io.sluice.spring.DecisionObserver;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/** Decides by a limit of the annotation, and waits for permits. */
final class WaitingLimitRule implements Rule {
    private final String name;
    private final boolean keyed;
    private final Duration maxWait;
    private final Supplier<RateLimiter> limiter;
    private final Supplier<DecisionObserver> observer;

    /** @param keyed whether the annotation has a key */
    WaitingLimitRule(
            String name,
            boolean keyed,
            Duration maxWait,
            Supplier<RateLimiter> limiter,
            Supplier<DecisionObserver> observer) {
        this.name = name;
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
                            acquire(admission, key, call.permits());
                            return admission;
                        },
                        Admission::denial);
        return admission;
    }

    private void acquire(AdmissionFuture admission, String key, long permits) {
        RateLimiter waiting = limiter.get();
        CompletionStage<Boolean> acquired = waiting.tryAcquireAsync(key, permits, maxWait);
        admission.cancelTogether(acquired);
        acquired.whenComplete((taken, failure) -> {
            if (failure != null) {
                admission.fail(failure);
            } else if (taken) {
                admission.admit(() -> waiting.refundAsync(key, permits));
            } else {
                deny(admission, waiting, key, permits);
            }
        });
    }

    private void deny(AdmissionFuture admission, RateLimiter limiter, String key, long permits) {
        limiter.peekAsync(key, permits).whenComplete((decision, failure) -> {
            if (failure != null) {
                admission.fail(failure);
            } else {
                admission.deny(new RateLimitedException(name, key, permits, decision));
            }
        });
    }
}
