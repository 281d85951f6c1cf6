package io.sluice.cli;

import io.sluice.Decision;
import io.sluice.Limit;
import io.sluice.RateLimiter;
import io.sluice.redis.RedisStore;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/*
 * A Redis that restarts while the run waits for input, or that somebody empties, comes back without the state of the
 * run; the decisions would go on as if every key were fresh. So the run has a key of which it knows the answer: one so
 * deep in debt that all the time a trace can have does not pay it. It is written again with every look, so that it lives
 * as long as the youngest of the others.
 */
/** Sees whether Redis still has the state of a run. */
final class RedisWitness {
    private static final Limit SLOW = Limit.parse("1/d");
    private static final long DEBT = 1 << 20;
    private static final String KEY = "debt";

    /** No limit and no policy is called so: its name would not be printable. */
    private static final String NAME = "\nwitness";

    private final RateLimiter limiter;
    private CompletableFuture<Decision> seen;

    RedisWitness(RedisStore store) {
        limiter = store.limiter(NAME, SLOW);
        limiter.penalize(KEY, DEBT);
        seen = lookAgain();
    }

    /** Looks, after all that was asked so far. */
    void look() {
        seen = lookAgain();
    }

    private CompletableFuture<Decision> lookAgain() {
        CompletionStage<Decision> found = limiter.peekAsync(KEY, 1);
        return found.thenCombine(limiter.penalizeAsync(KEY, 1), (decision, done) -> decision)
                .toCompletableFuture();
    }

    /** What the latest look found: if it {@linkplain Decision#allowed() is allowed}, the state is lost. */
    Decision seen() {
        return seen.join();
    }
}
