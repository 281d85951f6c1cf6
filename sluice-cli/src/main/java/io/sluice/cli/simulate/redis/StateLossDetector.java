package io.sluice.cli.simulate.redis;

import io.sluice.Decision;
import io.sluice.Limit;
import io.sluice.RateLimiter;
import io.sluice.redis.RedisStore;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/*
 * A Redis may restart, or somebody may flush it, while the run waits for input. Then the state of the run is lost, and the
 * run would continue as if every key were fresh. So the run keeps one key with a known decision: a key with a debt that
 * takes many years to pay off. Every check writes the key again with the largest debt, so that it lives as long as the
 * newest of the other keys.
 */
/** Detects that Redis has lost the state of a run. */
final class StateLossDetector {
    /**
     * The time of the trace, in microseconds, for which one check is valid. The debt lasts twice as long, which is the longest
     * possible debt of a bucket. A trace may be longer: its times stay below 2^53.
     */
    static final long VALID_MICROS = 1L << 51;

    private static final Limit SLOW = Limit.parse("1/d");
    private static final long DEBT = 1 << 20;
    private static final String KEY = "debt";

    /** A name that no limit and no policy has, because it is not printable. */
    private static final String NAME = "\nwitness";

    private final RateLimiter limiter;
    private CompletableFuture<Decision> result;

    StateLossDetector(RedisStore store) {
        limiter = store.limiter(NAME, SLOW);
        limiter.penalize(KEY, DEBT);
        result = startCheck();
    }

    /** Starts a check after all requests so far. */
    void check() {
        result = result.thenCombine(startCheck(), (before, now) -> isDeniedByRedis(before) ? now : before);
    }

    private static boolean isDeniedByRedis(Decision result) {
        return !result.degraded() && !result.allowed();
    }

    private CompletableFuture<Decision> startCheck() {
        CompletionStage<Decision> found = limiter.peekAsync(KEY, 1);
        return found.thenCombine(limiter.penalizeAsync(KEY, DEBT), (decision, done) -> decision)
                .toCompletableFuture();
    }

    /** The decision of the latest check, or of an earlier check that failed. If it is {@linkplain Decision#allowed() allowed}, the state is lost. */
    Decision result() {
        return result.join();
    }
}
