package io.sluice.server.resp;

import io.sluice.CallLimiter;
import io.sluice.Decision;
import io.sluice.Limit;
import io.sluice.Refill;
import io.sluice.TokenBucket;
import io.sluice.server.decide.CallPeriod;
import java.time.Duration;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/*
 * What redis-cell does by a theoretical arrival time is a token bucket of max_burst + 1, refilled count per period seconds;
 * here it is exact, where redis-cell rounds the time of one permit down to a nanosecond. Seconds are rounded up, so that who
 * waits as long as he is told is let in; redis-cell drops what is less than a millisecond first.
 *
 * A negative quantity gives permits back, never more than were taken.
 */
/** {@code CL.THROTTLE key max_burst count period [quantity]}. One for each event loop. */
final class Throttle implements Command {
    private static final long SECOND = 1_000_000;

    /** How many limits are found here without making them anew: a table of fixed size. */
    private static final int PLACES = 256;

    private final CallLimiter calls;
    private final boolean atOnce;
    private final CallPeriod periods;
    private final @Nullable Said[] known = new Said[PLACES];

    /** A limit, and the numbers that say it. */
    private record Said(long maxBurst, long count, long period, Limit limit) {
        boolean is(long maxBurst, long count, long period) {
            return this.maxBurst == maxBurst && this.count == count && this.period == period;
        }
    }

    Throttle(CallLimiter calls, CallPeriod periods, boolean atOnce) {
        this.calls = calls;
        this.periods = periods;
        this.atOnce = atOnce;
    }

    @Override
    public void run(RespConnection connection, Arguments in, Replies out) throws CommandException {
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
            nothing(maxBurst, quantity, out);
            return;
        }
        Limit limit = find(maxBurst, count, period);
        if (atOnce) {
            answer(maxBurst, decide(key, quantity, limit), out);
        } else {
            answerLater(connection.later(), maxBurst, decideAsync(key, quantity, limit));
        }
    }

    private static void answerLater(Later later, long maxBurst, CompletionStage<Decision> decided) {
        decided.whenComplete((decision, failure) -> later.is(out -> {
            if (failure == null) {
                answer(maxBurst, decision, out);
            } else {
                answerWithout(maxBurst, failure, out);
            }
        }));
    }

    private Limit find(long maxBurst, long count, long period) throws CommandException {
        long hash = (maxBurst * 31 + count) * 31 + period;
        int place = (int) (hash ^ (hash >>> 8)) & (PLACES - 1);
        Said said = known[place];
        if (said == null || !said.is(maxBurst, count, period)) {
            said = new Said(maxBurst, count, period, limit(maxBurst, count, period));
            known[place] = said;
        }
        return said.limit;
    }

    private Limit limit(long maxBurst, long count, long period) throws CommandException {
        if (count == 0 || period == 0) {
            throw new CommandException("ERR Cell error: Zero rates are not supported");
        }
        require(count > 0, "count: " + count + " (expected: at least 1)");
        require(period > 0, "period: " + period + " (expected: at least 1)");
        long longest = periods.longest().toSeconds();
        require(period <= longest, "period: " + period + " " + periods.expected());
        require(maxBurst < Long.MAX_VALUE, "max_burst: " + maxBurst + " (expected: less)");
        try {
            return new TokenBucket(count, Duration.ofSeconds(period), maxBurst + 1, Refill.GREEDY);
        } catch (IllegalArgumentException e) {
            throw new CommandException("ERR Cell error: " + e.getMessage());
        }
    }

    private static void require(boolean right, String wrong) throws CommandException {
        if (!right) {
            throw new CommandException("ERR Cell error: " + wrong);
        }
    }

    private Decision decide(String key, long quantity, Limit limit) {
        if (quantity < 0) {
            calls.refund(key, back(quantity));
        }
        return calls.check(key, Math.max(0, quantity), limit);
    }

    private CompletionStage<Decision> decideAsync(String key, long quantity, Limit limit) {
        if (quantity < 0) {
            // What is asked of one key is done in the order of asking.
            var unused = calls.refundAsync(key, back(quantity));
        }
        return calls.checkAsync(key, Math.max(0, quantity), limit);
    }

    private static long back(long quantity) {
        return quantity == Long.MIN_VALUE ? Long.MAX_VALUE : -quantity;
    }

    private static void answer(long maxBurst, Decision decision, Replies out) {
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

    /** A burst of none, or less: then there is never anything to take. */
    private static void nothing(long maxBurst, long quantity, Replies out) {
        boolean allowed = quantity <= 0 && maxBurst == -1;
        answer(maxBurst, allowed ? Decision.allowed(0, 0, 0) : Decision.denied(0, Decision.NEVER, 0), out);
    }

    /** What is wrong with the call is said; a store that is away lets everybody through. */
    private static void answerWithout(long maxBurst, Throwable failure, Replies out) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        if (cause instanceof IllegalStateException || cause instanceof IllegalArgumentException) {
            out.error("ERR " + cause.getMessage());
        } else {
            answer(maxBurst, Decision.allowed(0, 0, 0), out);
        }
    }
}
