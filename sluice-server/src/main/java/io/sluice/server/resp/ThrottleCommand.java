package io.sluice.server.resp;

import io.sluice.CallLimiter;
import io.sluice.Decision;
import io.sluice.Limit;
import io.sluice.Refill;
import io.sluice.TokenBucket;
import io.sluice.server.decide.MaxCallPeriod;
import java.time.Duration;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/*
 * redis-cell computes a theoretical arrival time. That is a token bucket of max_burst + 1 permits, refilled with count permits per
 * period seconds. Here it is exact; redis-cell rounds the time of one permit down to a nanosecond. Seconds are rounded up, so
 * that a client that waits as long as the reply says is allowed; redis-cell drops fractions of a millisecond first.
 *
 * A negative quantity gives permits back, never more than were taken.
 */
/** {@code CL.THROTTLE key max_burst count period [quantity]}, compatible with redis-cell. One for each event loop. */
final class ThrottleCommand implements Command {
    private static final long SECOND = 1_000_000;

    /** The size of the cache of limits. */
    private static final int CACHE_SIZE = 256;

    private final CallLimiter limiter;
    private final boolean inMemory;
    private final MaxCallPeriod maxPeriod;
    private final @Nullable CachedLimit[] cache = new CachedLimit[CACHE_SIZE];

    /** A limit and the arguments from which it was made. */
    private record CachedLimit(long maxBurst, long count, long period, Limit limit) {
        boolean matches(long maxBurst, long count, long period) {
            return this.maxBurst == maxBurst && this.count == count && this.period == period;
        }
    }

    ThrottleCommand(CallLimiter limiter, MaxCallPeriod maxPeriod, boolean inMemory) {
        this.limiter = limiter;
        this.maxPeriod = maxPeriod;
        this.inMemory = inMemory;
    }

    @Override
    public void run(RespConnection connection, Arguments in, ReplyWriter out) throws CommandException {
        if (in.count() != 5 && in.count() != 6) {
            throw new CommandException(
                    "ERR Cell error: Usage: cl.throttle <key> <max_burst> <count per period> <period> [<quantity>]");
        }
        String key = in.text(1);
        long maxBurst = in.number(2);
        long count = in.number(3);
        long period = in.number(4);
        long quantity = in.count() == 6 ? in.number(5) : 1;
        if (maxBurst < 0) {
            answerWithoutBucket(maxBurst, quantity, out);
            return;
        }
        Limit limit = find(maxBurst, count, period);
        if (inMemory) {
            answer(maxBurst, decide(key, quantity, limit), out);
        } else {
            answerLater(connection.replyLater(), maxBurst, decideAsync(key, quantity, limit));
        }
    }

    private static void answerLater(PendingReply reply, long maxBurst, CompletionStage<Decision> decided) {
        decided.whenComplete((decision, failure) -> reply.complete(out -> {
            if (failure == null) {
                answer(maxBurst, decision, out);
            } else {
                answerFailure(maxBurst, failure, out);
            }
        }));
    }

    private Limit find(long maxBurst, long count, long period) throws CommandException {
        long hash = (maxBurst * 31 + count) * 31 + period;
        int slot = (int) (hash ^ (hash >>> 8)) & (CACHE_SIZE - 1);
        CachedLimit cached = cache[slot];
        if (cached == null || !cached.matches(maxBurst, count, period)) {
            cached = new CachedLimit(maxBurst, count, period, limit(maxBurst, count, period));
            cache[slot] = cached;
        }
        return cached.limit;
    }

    private Limit limit(long maxBurst, long count, long period) throws CommandException {
        if (count == 0 || period == 0) {
            throw new CommandException("ERR Cell error: Zero rates are not supported");
        }
        require(count > 0, "count: " + count + " (expected: at least 1)");
        require(period > 0, "period: " + period + " (expected: at least 1)");
        long maxSeconds = maxPeriod.period().toSeconds();
        require(period <= maxSeconds, "period: " + period + " " + maxPeriod.expected());
        require(maxBurst < Long.MAX_VALUE, "max_burst: " + maxBurst + " (expected: less)");
        try {
            return new TokenBucket(count, Duration.ofSeconds(period), maxBurst + 1, Refill.GREEDY);
        } catch (IllegalArgumentException e) {
            throw new CommandException("ERR Cell error: " + e.getMessage());
        }
    }

    private static void require(boolean valid, String error) throws CommandException {
        if (!valid) {
            throw new CommandException("ERR Cell error: " + error);
        }
    }

    private Decision decide(String key, long quantity, Limit limit) {
        if (quantity < 0) {
            limiter.refund(key, permitsToGiveBack(quantity));
        }
        return limiter.check(key, Math.max(0, quantity), limit);
    }

    private CompletionStage<Decision> decideAsync(String key, long quantity, Limit limit) {
        if (quantity < 0) {
            // Calls on one key are executed in the order of the calls.
            var unused = limiter.refundAsync(key, permitsToGiveBack(quantity));
        }
        return limiter.checkAsync(key, Math.max(0, quantity), limit);
    }

    private static long permitsToGiveBack(long quantity) {
        return quantity == Long.MIN_VALUE ? Long.MAX_VALUE : -quantity;
    }

    private static void answer(long maxBurst, Decision decision, ReplyWriter out) {
        out.array(5);
        out.integer(decision.allowed() ? 0 : 1);
        out.integer(maxBurst + 1);
        out.integer(decision.remaining());
        out.integer(decision.allowed() || decision.never() ? -1 : seconds(decision.retryAfterMicros()));
        out.integer(seconds(decision.resetAfterMicros()));
    }

    private static long seconds(long micros) {
        return (micros + SECOND - 1) / SECOND;
    }

    /** Answers a negative burst: the bucket is empty for ever. */
    private static void answerWithoutBucket(long maxBurst, long quantity, ReplyWriter out) {
        boolean allowed = quantity <= 0 && maxBurst == -1;
        answer(maxBurst, allowed ? Decision.allowed(0, 0, 0) : Decision.denied(0, Decision.NEVER, 0), out);
    }

    /** Answers a failed call: with an error if the call was wrong; allowed if the store is not available. */
    private static void answerFailure(long maxBurst, Throwable failure, ReplyWriter out) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        if (cause instanceof IllegalStateException || cause instanceof IllegalArgumentException) {
            out.error("ERR " + cause.getMessage());
        } else {
            answer(maxBurst, Decision.allowed(0, 0, 0), out);
        }
    }
}
