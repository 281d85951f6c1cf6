package io.sluice.benchmarks.redis;

import io.sluice.Decision;
import io.sluice.Limit;
import io.sluice.LimiterOptions;
import io.sluice.OnFailure;
import io.sluice.Permit;
import io.sluice.RateLimiter;
import io.sluice.benchmarks.common.Expect;
import io.sluice.benchmarks.load.Load;
import io.sluice.redis.RedisStore;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/** The Redis store of Sluice with default settings, except the deadline. */
final class SluiceLibrary implements Library {
    /**
     * The peers wait for seconds. On a busy or cold machine a call may take longer than the default deadline of 100 ms. With a
     * longer deadline the call is only slow. It is not decided without Redis, which would fail the run.
     */
    private static final Duration DEADLINE = Duration.ofSeconds(1);

    private final MonitoredLoad.Traffic traffic = new MonitoredLoad.Traffic();
    private final RedisStore store;
    private final RateLimiter plenty;
    private final RateLimiter scarce;

    SluiceLibrary(Redis redis, Keys keys) {
        store = RedisStore.builder()
                .uri(redis.uri())
                .prefix(keys.prefix())
                .deadline(DEADLINE)
                .listener(traffic)
                .build();
        plenty = store.limiter("api", Limit.tokenBucket(Limits.PLENTY, Limits.PLENTY_PERIOD));
        // Decisions without Redis are counted. An allowed call among denied ones would end the load earlier.
        scarce = store.limiter(
                "few", LimiterOptions.onFailure(OnFailure.DENY), Limit.tokenBucket(1, Limits.SCARCE_PERIOD));
    }

    @Override
    public String who() {
        return "Sluice";
    }

    @Override
    public Call taking(List<String> keys) {
        return () -> Expect.admitted(plenty.tryAcquire(Library.any(keys)));
    }

    /**
     * A call that asks for a permit of one of these keys, under another limit. Fails if the permit was not counted: a store that
     * does not know the algorithm would be fast.
     */
    Call checking(Limit limit, List<String> keys) {
        RateLimiter limiter = store.limiter(limit.toString(), limit);
        return () -> {
            Decision decision = limiter.check(Library.any(keys));
            if (decision.resetAfterMicros() == 0) {
                throw new IllegalStateException(
                        limit + " answered " + decision + " (expected: a key that is not fresh)");
            }
        };
    }

    /** A call that holds a permit of one of these keys and gives it back: two calls to Redis. */
    Call entering(List<String> keys) {
        RateLimiter limiter = store.limiter("in-flight", Limit.concurrency(Limits.MANY_HELD));
        return () -> {
            try (Permit permit = limiter.tryEnter(Library.any(keys)).orElseThrow()) {
                Expect.admitted(permit.isHeld() && !permit.decision().degraded());
            }
        };
    }

    /** Two calls that ask for a permit of one of these keys, one after the other. */
    Call takingTwice(List<String> keys) {
        Call taking = taking(keys);
        return () -> {
            taking.run();
            taking.run();
        };
    }

    Supplier<CompletionStage<Decision>> takingAsync(String key) {
        return () -> plenty.checkAsync(key, 1);
    }

    @Override
    public Call denied(String key) {
        Expect.admitted(scarce.tryAcquire(key));
        return () -> Expect.denied(scarce.tryAcquire(key));
    }

    MonitoredLoad watched(Load load) {
        return new MonitoredLoad(load, traffic);
    }

    @Override
    public void close() {
        store.deleteAll();
        store.close();
    }
}
