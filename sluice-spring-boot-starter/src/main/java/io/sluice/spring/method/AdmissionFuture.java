package io.sluice.spring.method;

import io.sluice.RateLimitedException;
import io.sluice.TimeSource;
import io.sluice.policy.PolicyPermit;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;

/** The decision on a call that may have to wait. Cancelling it ends the wait and gives the permits back. */
final class AdmissionFuture extends CompletableFuture<Admission> {
    /** A future that is complete: the call may go on. */
    static AdmissionFuture admitted() {
        AdmissionFuture future = new AdmissionFuture();
        future.complete(Admission.ADMITTED);
        return future;
    }

    /** A future that is complete: the call is denied. */
    static AdmissionFuture denied(RateLimitedException denial) {
        AdmissionFuture future = new AdmissionFuture();
        future.deny(denial);
        return future;
    }

    /** Cancels a stage when this future is cancelled. That stage must give back what it takes. */
    void cancelTogether(CompletionStage<?> stage) {
        whenComplete((admission, failure) -> {
            if (failure != null) {
                stage.toCompletableFuture().cancel(false);
            }
        });
    }

    /** The permits are taken. They are given back if this future was cancelled. */
    void admit(Runnable giveBack) {
        admit(Admission.ADMITTED, giveBack);
    }

    /** The call has entered. It leaves if this future was cancelled. */
    void enter(PolicyPermit permit) {
        enter(permit, () -> {});
    }

    /**
     * The call has entered. It leaves if this future was cancelled.
     *
     * @param giveBack gives back what was taken besides what the permit holds
     */
    void enter(PolicyPermit permit, Runnable giveBack) {
        Admission admission = new Admission(null, permit);
        admit(admission, leaving(admission, giveBack));
    }

    private static Runnable leaving(Admission admission, Runnable giveBack) {
        return () -> {
            admission.leave();
            giveBack.run();
        };
    }

    private void admit(Admission admission, Runnable giveBack) {
        if (!complete(admission)) {
            giveBack.run();
        }
    }

    /** The permits are taken, but may be used only after a delay. They are given back if this future is cancelled before. */
    void admitAfter(long delayMicros, TimeSource time, Runnable giveBack) {
        admitAfter(delayMicros, time, Admission.ADMITTED, giveBack);
    }

    /** The call has entered, but may go on only after a delay. It leaves if this future is cancelled before. */
    void enterAfter(long delayMicros, TimeSource time, PolicyPermit permit, Runnable giveBack) {
        Admission admission = new Admission(null, permit);
        admitAfter(delayMicros, time, admission, leaving(admission, giveBack));
    }

    private void admitAfter(long delayMicros, TimeSource time, Admission admission, Runnable giveBack) {
        // The method must not run on the thread of the timer.
        Runnable stop = time.schedule(delayMicros, () -> completeAsync(() -> admission));
        whenComplete((done, failure) -> {
            if (failure != null) {
                stop.run();
                giveBack.run();
            }
        });
    }

    /** The call has ended, or is cancelled: what it holds is released. Only the first call has an effect. */
    void leave() {
        if (!cancel(false) && !isCompletedExceptionally()) {
            join().leave();
        }
    }

    /** The call is denied. */
    void deny(RateLimitedException denial) {
        complete(Admission.denied(denial));
    }

    /** No decision was possible, or the call is denied by an exception. */
    void fail(Throwable failure) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        if (cause instanceof RateLimitedException denial) {
            deny(denial);
        } else {
            completeExceptionally(cause);
        }
    }
}
