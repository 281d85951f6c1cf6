package io.sluice.policy;

import io.sluice.HoldEndedException;
import io.sluice.TimeSource;
import io.sluice.exact.Exact;
import io.sluice.spi.HoldKeeper;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** What a request holds, renewed in the background until it is closed, has lapsed, or nobody refers to it any more. Thread-safe. */
final class RenewedHolds implements HoldKeeper.Renewable {
    /** A permit is renewed every third of the time for which it is held. */
    private static final int RENEWALS = 3;

    private final PolicyEngine engine;
    private final TimeSource time;
    private final String text;
    private final long every;
    private final AtomicReference<@Nullable CompletionStage<Void>> closed = new AtomicReference<>();
    private volatile long heldUntil;
    private volatile HoldKeeper.@Nullable Kept kept;

    private RenewedHolds(PolicyEngine engine, TimeSource time, String text, long every) {
        this.engine = engine;
        this.time = time;
        this.text = text;
        this.every = every;
        this.heldUntil = time.micros() + RENEWALS * every;
    }

    /** Renews what is held from now on. */
    static RenewedHolds begin(
            PolicyEngine engine, HoldKeeper keeper, TimeSource time, String text, Duration renewEvery) {
        RenewedHolds holds = new RenewedHolds(engine, time, text, Math.max(1, Exact.micros(renewEvery)));
        holds.kept = keeper.every(holds.every).keep(holds);
        return holds;
    }

    boolean isHeld() {
        return closed.get() == null && time.micros() < heldUntil;
    }

    @Override
    public long renew() {
        if (closed.get() != null) {
            return 0;
        }
        long from = time.micros();
        engine.renewAsync(text).whenComplete((done, failure) -> {
            if (failure == null) {
                heldUntil = from + RENEWALS * every;
            } else if (isEnded(failure)) {
                heldUntil = from;
            }
        });
        return heldUntil <= from ? 0 : every;
    }

    CompletionStage<Void> closeAsync() {
        CompletionStage<Void> before = closed.get();
        if (before != null) {
            return before;
        }
        CompletableFuture<Void> done = new CompletableFuture<>();
        if (!closed.compareAndSet(null, done)) {
            return closeAsync();
        }
        HoldKeeper.Kept renewed = kept;
        if (renewed != null) {
            renewed.stop();
        }
        engine.releaseAsync(text).whenComplete((released, failure) -> done.complete(null));
        return done;
    }

    private static boolean isEnded(Throwable failure) {
        Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
        return cause instanceof HoldEndedException;
    }
}
