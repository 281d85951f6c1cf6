package io.sluice.redis.call;

import io.sluice.Decision;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/*
 * A permit that is held may be given back at any time, by any process. This process wakes its waiters itself when it gives
 * permits back. Of other processes it hears nothing, so the first waiter of each key asks now and then.
 */
/** The answer to a caller that waits for a permit to hold. */
public final class EnterAdmission implements Admission {
    /** How often the first waiter of a key asks whether another process has given permits back. */
    private static final long ASK_MICROS = 50_000;

    private final EnterCall call;
    private final Decision decision;

    public EnterAdmission(EnterCall call, Decision decision) {
        this.call = call;
        this.decision = decision;
    }

    @Override
    public boolean granted() {
        return decision.allowed();
    }

    @Override
    public long waitMicros() {
        if (granted() || awaitsRedis()) {
            return 0;
        }
        // A hold may end at any time. A rate has its time, but it is not known apart.
        return decision.never() || !call.holds() ? decision.retryAfterMicros() : 1;
    }

    @Override
    public long askAgainMicros() {
        long retryAfter = decision.retryAfterMicros();
        return call.limiter.virtualTime == null && call.holds() ? Math.min(ASK_MICROS, retryAfter) : retryAfter;
    }

    @Override
    public long virtualMicros() {
        return call.virtualMicros;
    }

    @Override
    public boolean isDegraded() {
        return decision.degraded();
    }

    @Override
    public boolean isPaused() {
        return false;
    }

    @Override
    public boolean awaitsRedis() {
        return call.awaitsRedis;
    }

    @Override
    @SuppressWarnings("NullAway") // a stage of nothing completes with null
    public CompletionStage<Void> cancelAsync() {
        call.giveBack(decision);
        return CompletableFuture.completedFuture(null);
    }

    @Override
    public Optional<RedisPermit> permit() {
        return granted() ? Optional.of(call.permit(decision)) : Optional.empty();
    }
}
