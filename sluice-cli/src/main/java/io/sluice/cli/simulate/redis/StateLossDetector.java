package io.sluice.cli.simulate.redis;

import io.sluice.Decision;
import io.sluice.Limit;
import io.sluice.RateLimiter;
import io.sluice.redis.RedisStore;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/*
 * A Redis that restarts while the run waits for input, or that somebody empties, comes back without the state of the
 * run; the decisions would go on as if every key were fresh. So the run has a key of which it knows the answer: one so
 * deep in debt that it is not paid for many years. With every look it is written again, as deep in debt as can be, so that
 * it lives as long as the youngest of the others.
 */
/** Sees whether Redis still has the state of a run. */
final class StateLossDetector {
    /**
     * For how many microseconds of the trace a look is good, at least: the debt lasts twice as long, as far as a bucket can
     * be in debt, but less than a trace, whose times stay below 2^53.
     */
    static final long LASTS_MICROS = 1L << 51;

    private static final Limit SLOW = Limit.parse("1/d");
    private static final long DEBT = 1 << 20;
    private static final String KEY = "debt";

    /** No limit and no policy is called so: its name would not be printable. */
    private static final String NAME = "\nwitness";

    private final RateLimiter limiter;
    private CompletableFuture<Decision> seen;

    StateLossDetector(RedisStore store) {
        limiter = store.limiter(NAME, SLOW);
        limiter.penalize(KEY, DEBT);
        seen = lookAgain();
    }

    /** Looks, after all that was asked so far. */
    void look() {
        seen = seen.thenCombine(lookAgain(), (before, now) -> isFine(before) ? now : before);
    }

    private static boolean isFine(Decision seen) {
        return !seen.degraded() && !seen.allowed();
    }

    private CompletableFuture<Decision> lookAgain() {
        CompletionStage<Decision> found = limiter.peekAsync(KEY, 1);
        return found.thenCombine(limiter.penalizeAsync(KEY, DEBT), (decision, done) -> decision)
                .toCompletableFuture();
    }

    /** What the latest look found, or one before it that was not fine: if it {@linkplain Decision#allowed() is allowed}, the state is lost. */
    Decision seen() {
        return seen.join();
    }
}
