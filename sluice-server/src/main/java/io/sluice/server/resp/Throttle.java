package io.sluice.server.resp;

import io.sluice.Decision;
import io.sluice.Limit;
import io.sluice.Refill;
import io.sluice.TokenBucket;
import io.sluice.server.decide.CallLimit;
import io.sluice.server.decide.CallLimits;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
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

    /** How many limits are found here without asking for them; beyond, all are asked for anew. */
    private static final int KNOWN = 1_000;

    private final CallLimits limits;
    private final boolean atOnce;
    private final Map<Terms, CallLimit> known = new HashMap<>();
    private Terms lastTerms = new Terms(-1, -1, -1);
    private @Nullable CallLimit last;

    /** The numbers that say a limit. */
    private record Terms(long maxBurst, long count, long period) {}

    Throttle(CallLimits limits, boolean atOnce) {
        this.limits = limits;
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
        CallLimit limit = find(maxBurst, count, period);
        if (limit != null && atOnce) {
            answer(maxBurst, decide(limit, key, quantity), out);
        } else if (atOnce) {
            answer(maxBurst, decide(made(maxBurst, count, period), key, quantity), out);
        } else {
            decideLater(connection, limit, new Terms(maxBurst, count, period), key, quantity);
        }
    }

    private void decideLater(
            RespConnection connection, @Nullable CallLimit limit, Terms terms, String key, long quantity)
            throws CommandException {
        if (limit != null) {
            answerLater(connection.later(), terms.maxBurst, decideAsync(limit, key, quantity));
            return;
        }
        CompletionStage<CallLimit> asked = limits.limitAsync(limit(terms));
        Later later = connection.later();
        connection.hold();
        asked.whenComplete((made, failure) -> connection.release(() -> {
            if (failure == null) {
                know(terms, made);
                answerLater(later, terms.maxBurst, decideAsync(made, key, quantity));
            } else {
                later.is(out -> answerWithout(terms.maxBurst, failure, out));
            }
        }));
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

    private @Nullable CallLimit find(long maxBurst, long count, long period) {
        Terms terms = lastTerms;
        if (terms.maxBurst == maxBurst && terms.count == count && terms.period == period) {
            return last;
        }
        Terms asked = new Terms(maxBurst, count, period);
        CallLimit found = known.get(asked);
        if (found != null) {
            lastTerms = asked;
            last = found;
        }
        return found;
    }

    private CallLimit made(long maxBurst, long count, long period) throws CommandException {
        Terms terms = new Terms(maxBurst, count, period);
        try {
            CallLimit made = limits.limit(limit(terms));
            know(terms, made);
            return made;
        } catch (IllegalStateException e) {
            throw new CommandException("ERR " + e.getMessage());
        }
    }

    private void know(Terms terms, CallLimit made) {
        if (known.size() >= KNOWN) {
            known.clear();
        }
        known.put(terms, made);
    }

    private static Limit limit(Terms terms) throws CommandException {
        if (terms.count == 0 || terms.period == 0) {
            throw new CommandException("ERR Cell error: Zero rates are not supported");
        }
        require(terms.count > 0, "count: " + terms.count + " (expected: at least 1)");
        require(terms.period > 0, "period: " + terms.period + " (expected: at least 1)");
        // Refused and not cut, or one limit had any number of terms.
        require(
                terms.period <= Integer.MAX_VALUE,
                "period: " + terms.period + " (expected: at most " + Integer.MAX_VALUE + ")");
        require(terms.maxBurst < Long.MAX_VALUE, "max_burst: " + terms.maxBurst + " (expected: less)");
        try {
            Duration period = Duration.ofSeconds(terms.period);
            return new TokenBucket(terms.count, period, terms.maxBurst + 1, Refill.GREEDY);
        } catch (IllegalArgumentException e) {
            throw new CommandException("ERR Cell error: " + e.getMessage());
        }
    }

    private static void require(boolean right, String wrong) throws CommandException {
        if (!right) {
            throw new CommandException("ERR Cell error: " + wrong);
        }
    }

    private static Decision decide(CallLimit limit, String key, long quantity) {
        if (quantity < 0) {
            limit.check(key, 0); // first of all, what it used under other limits is here
            limit.limiter().refund(key, back(quantity));
        }
        return limit.check(key, Math.max(0, quantity));
    }

    private static CompletionStage<Decision> decideAsync(CallLimit limit, String key, long quantity) {
        return quantity < 0
                ? limit.checkAsync(key, 0)
                        .thenCompose(unused -> limit.limiter().refundAsync(key, back(quantity)))
                        .thenCompose(unused -> limit.checkAsync(key, 0))
                : limit.checkAsync(key, quantity);
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
