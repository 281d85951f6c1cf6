package io.sluice.redis.call;

import io.sluice.Decision;
import io.sluice.redis.script.Format;
import io.sluice.spi.EnteredPermit;
import io.sluice.spi.HoldKeeper;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/*
 * A hold lasts from the moment at which Redis makes or renews it, and this process does not know that moment. So the permit
 * counts from the moment at which it sent the call, which was before. While a renewal is in flight, the permit counts as held:
 * its answer says whether that was right.
 */
/** A permit that Redis holds for this process, or that holds nothing. */
public final class RedisPermit implements EnteredPermit, HoldKeeper.Renewable {
    private final Decision decision;

    /** What is held; its id has no meaning if nothing is. */
    private final Hold hold;

    /** Gives back everything that was taken, the permits of rates too. */
    private final Runnable undo;

    private final AtomicBoolean closed = new AtomicBoolean();

    /** When the hold lapses, on the clock of {@link Holds}; {@link Long#MAX_VALUE} if nothing is held. */
    private volatile long lapse;

    /** When the hold lapses if the renewal succeeds that is in flight; 0 for none. */
    private volatile long renewing;

    private HoldKeeper.@Nullable Kept kept;

    private RedisPermit(Hold hold, Decision decision, long lapse, Runnable undo) {
        this.undo = undo;
        this.hold = hold;
        this.decision = decision;
        this.lapse = lapse;
    }

    /** A permit that has nothing to give back: of a limiter without concurrency limits, or given without Redis. */
    static RedisPermit ofNothing(LimiterContext limiter, String key, Decision decision, Runnable undo) {
        return new RedisPermit(new Hold(limiter, key, 0), decision, Long.MAX_VALUE, undo);
    }

    /** @param since when the hold began at the earliest */
    static RedisPermit of(Hold hold, Decision decision, long since, long holdMicros, Runnable undo) {
        RedisPermit permit = new RedisPermit(hold, decision, since + holdMicros, undo);
        permit.kept = hold.limiter().holds().keep(permit, holdMicros / 3);
        return permit;
    }

    private boolean holdsNothing() {
        return lapse == Long.MAX_VALUE;
    }

    @Override
    public String key() {
        return hold.key();
    }

    @Override
    public Decision decision() {
        return decision;
    }

    @Override
    public boolean isHeld() {
        return !closed.get() && (holdsNothing() || hold.limiter().holds().micros() < Math.max(lapse, renewing));
    }

    @Override
    public void close() {
        CompletableFuture<HoldAnswer> left = leave();
        if (left instanceof LeaveCall call) {
            hold.limiter().await(call);
        }
    }

    @Override
    @SuppressWarnings("NullAway") // a stage of nothing completes with null
    public CompletionStage<Void> closeAsync() {
        CompletableFuture<HoldAnswer> left = leave();
        return left == null ? CompletableFuture.completedFuture(null) : left.thenApply(answer -> null);
    }

    @Override
    public void undo() {
        if (end()) {
            undo.run();
        }
    }

    private @Nullable CompletableFuture<HoldAnswer> leave() {
        return end() && !holdsNothing() ? hold.limiter().holds().leave(hold) : null;
    }

    /** Ends the renewals. Returns false if they have ended before. */
    private boolean end() {
        HoldKeeper.Kept renewals = kept;
        if (!closed.compareAndSet(false, true)) {
            return false;
        }
        if (renewals != null) {
            renewals.stop();
        }
        return true;
    }

    @Override
    public long renew() {
        LimiterContext limiter = hold.limiter();
        long holdMicros = limiter.holdMicros();
        if (closed.get() || lapse == 0 || holdMicros == 0) {
            return 0;
        }
        long until = limiter.holds().micros() + holdMicros;
        if (limiter.holds().local.isOwed(Holds.localKey(hold), hold.id())) {
            renewed(until, false);
        } else {
            renewing = until;
            limiter.submit(new RenewCall(List.of(hold), Format.RENEW_ALL))
                    .thenAccept(answer -> answered(answer, until));
        }
        return Math.max(1, holdMicros / 3);
    }

    private void answered(HoldAnswer answer, long until) {
        if (answer == HoldAnswer.DONE) {
            renewed(until, true);
        } else if (answer == HoldAnswer.ENDED) {
            lapse = 0;
            hold.limiter().holds().local.left(Holds.localKey(hold), hold.id());
        } else if (hold.limiter().hasLocalHolds()) {
            // It stays held by the local share, and Redis hears of it when it is back.
            renewed(until, false);
        }
        if (renewing == until || answer == HoldAnswer.ENDED) {
            renewing = 0;
        }
    }

    private void renewed(long until, boolean byRedis) {
        boolean known = hold.limiter().holds().local.renewed(Holds.localKey(hold), hold.id(), until, byRedis);
        if (byRedis || known) {
            lapse = Math.max(lapse, until);
        }
    }
}
