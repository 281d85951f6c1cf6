package io.sluice.policy.engine;

import io.sluice.Blocked;
import io.sluice.Decision;
import io.sluice.Limit;
import io.sluice.RateLimiter;
import io.sluice.Unlimited;
import io.sluice.policy.LimitOverride;
import io.sluice.policy.Reserve;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * One limit of one policy, its own or that of an override, with the limiter that enforces it.
 *
 * @param override the override that has the limit; null for the policy's own limit
 * @param limit the limit in force
 * @param kept the permits of the limit that the policy's reserve keeps
 * @param limiter counts the permits; null for {@code unlimited} and {@code blocked}, which count nothing
 * @param temporary the temporary override of the key, which has the limit; null if there is none. Then the limiter only counts
 *     along.
 * @param base the limit of the limiter; the limit in force, unless there is a temporary override
 * @param holds whether one of the two is a concurrency limit
 */
record PolicyLimit(
        @Nullable LimitOverride override,
        Limit limit,
        long kept,
        @Nullable RateLimiter limiter,
        @Nullable TemporaryLimit temporary,
        Limit base,
        boolean holds) {
    static final Decision UNLIMITED = Decision.allowed(Long.MAX_VALUE, 0, 0);
    static final Decision BLOCKED = Decision.denied(0, Decision.NEVER, 0);

    static boolean isCounted(Limit limit) {
        return !(limit instanceof Unlimited || limit instanceof Blocked);
    }

    PolicyLimit(@Nullable LimitOverride override, Limit limit, long kept, @Nullable RateLimiter limiter) {
        this(override, limit, kept, limiter, null, limit, limit.algorithm().holds());
    }

    /** This limit, replaced by a temporary override of a key. */
    PolicyLimit temporarily(TemporaryLimit temporary, @Nullable Reserve reserve) {
        Limit now = temporary.override().limit();
        long keptNow = reserve == null ? 0 : reserve.permitsOf(now);
        return new PolicyLimit(
                override,
                now,
                keptNow,
                limiter,
                temporary,
                limit,
                holds || now.algorithm().holds());
    }

    /** Whether the limit counts nothing. */
    boolean isConstant() {
        return temporary == null ? limiter == null : !isCounted(limit);
    }

    /** The decision of a limit that counts nothing. */
    Decision constant() {
        return limit instanceof Unlimited ? UNLIMITED : BLOCKED;
    }

    /** The same limiter with the limit that is in force now. */
    PolicyLimit withLimit(Limit now, @Nullable Reserve reserve) {
        return now.equals(limit)
                ? this
                : new PolicyLimit(override, now, reserve == null ? 0 : reserve.permitsOf(now), limiter);
    }

    /** Whether the keys of the limit can have a temporary override with another limit: both count rates, or both what is in flight. */
    boolean fits(Limit other) {
        return !isCounted(limit)
                || !isCounted(other)
                || limit.algorithm().holds() == other.algorithm().holds();
    }

    /** The decision now on a request for these permits, without those that are kept from it. Charges nothing. */
    Decision peek(String key, long permits, long keptFromRequest) {
        if (limiter == null || temporary != null) {
            return peekAsync(key, permits, keptFromRequest)
                    .toCompletableFuture()
                    .join();
        }
        return withoutKept(limiter.peek(key, sum(asked(permits), keptFromRequest)), keptFromRequest);
    }

    /** {@link #peek} without blocking. */
    CompletionStage<Decision> peekAsync(String key, long permits, long keptFromRequest) {
        if (isConstant()) {
            return CompletableFuture.completedFuture(constant());
        }
        long judged = sum(asked(permits), keptFromRequest);
        CompletionStage<Decision> state = temporary != null
                ? temporary.calls().peekAsync(temporary.key(), judged, limit)
                : Objects.requireNonNull(limiter).peekAsync(key, judged);
        return state.thenApply(decision -> withoutKept(decision, keptFromRequest));
    }

    /** Makes a key fresh. */
    CompletionStage<Void> reset(String key) {
        CompletionStage<Void> done =
                limiter == null ? CompletableFuture.completedFuture(null) : limiter.resetAsync(key);
        return temporary == null
                ? done
                : done.thenCompose(unused -> temporary.calls().resetAsync(temporary.key()));
    }

    /** What a request for these permits asks: of a concurrency limit it holds one, whatever it asks. */
    private long asked(long permits) {
        return limit.algorithm().holds() ? Math.min(1, permits) : permits;
    }

    private static long sum(long permits, long kept) {
        return permits > Long.MAX_VALUE - kept ? Long.MAX_VALUE : permits + kept;
    }

    private static Decision withoutKept(Decision decision, long kept) {
        return new Decision(
                decision.allowed(),
                Math.max(0, decision.remaining() - kept),
                decision.retryAfterMicros(),
                decision.delayMicros(),
                decision.resetAfterMicros(),
                decision.debt(),
                decision.degraded());
    }
}
