package io.sluice.redis;

import io.sluice.CallLimiter;
import io.sluice.Decision;
import io.sluice.Limit;
import io.sluice.LimiterListener;
import io.sluice.redis.call.ChangeCall;
import io.sluice.redis.call.CheckCall;
import io.sluice.redis.call.LimiterContext;
import io.sluice.redis.limits.VersionedLimits;
import io.sluice.redis.script.Arguments;
import io.sluice.redis.script.KeyNames;
import io.sluice.redis.script.Verb;
import io.sluice.spi.ListenedCallLimiter;
import io.sluice.spi.RecentLimits;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/*
 * Every call brings its limit, and a key is stored together with the limit by which it was charged last. So there is nothing
 * to agree on with Redis: limits of calls are not in the configuration. The LimiterContext has the rest of what a call needs:
 * the names of keys, and the answers without Redis.
 */
/** A call limiter of a {@link RedisStore}. */
final class RedisCallLimiter implements CallLimiter {
    /** The limiter of the calls; it has no limits of its own. */
    final LimiterContext context;

    private final RecentLimits<VersionedLimits> recent =
            new RecentLimits<>(limit -> VersionedLimits.ofCall(Arguments.requireShared(limit)));

    RedisCallLimiter(LimiterContext context) {
        this.context = context;
    }

    /** The encoded form of a limit that comes with a call. */
    VersionedLimits versions(Limit limit) {
        return recent.get(Objects.requireNonNull(limit, "limit"));
    }

    @Override
    public CallLimiter withListener(LimiterListener listener) {
        return new ListenedCallLimiter(this, listener);
    }

    @Override
    public String name() {
        return context.name();
    }

    @Override
    public Decision check(String key, long permits, Limit limit) {
        CompletableFuture<Decision> asked = ask(key, permits, limit);
        return asked instanceof CheckCall call ? context.await(call) : asked.join();
    }

    @Override
    public CompletionStage<Decision> checkAsync(String key, long permits, Limit limit) {
        return stage(() -> ask(key, permits, limit));
    }

    @Override
    public Decision peek(String key, long permits, Limit limit) {
        return context.await(look(key, permits, limit));
    }

    @Override
    public CompletionStage<Decision> peekAsync(String key, long permits, Limit limit) {
        return stage(() -> look(key, permits, limit));
    }

    private CheckCall look(String key, long permits, Limit limit) {
        Arguments.require(key, permits);
        return submit(Verb.PEEK, KeyNames.shortened(key), permits, versions(limit));
    }

    private CompletableFuture<Decision> ask(String key, long permits, Limit limit) {
        Arguments.require(key, permits);
        String kept = KeyNames.shortened(key);
        VersionedLimits callLimit = versions(limit);
        if (permits > 0 && callLimit.holds) {
            throw new IllegalStateException("call limiter \"" + name() + "\": check on " + limit
                    + " (expected: a limit whose permits are used up)");
        }
        Decision remembered = context.rememberedDenial(kept, permits, callLimit);
        if (remembered != null) {
            return CompletableFuture.completedFuture(remembered);
        }
        return submit(Verb.CHECK, kept, permits, callLimit);
    }

    private CheckCall submit(Verb verb, String key, long permits, VersionedLimits callLimit) {
        return context.submit(new CheckCall(verb, context, key, permits, callLimit));
    }

    @Override
    public void refund(String key, long permits) {
        context.await(refunded(key, permits));
    }

    @Override
    public CompletionStage<Void> refundAsync(String key, long permits) {
        return stage(() -> refunded(key, permits).done());
    }

    private ChangeCall refunded(String key, long permits) {
        Arguments.require(key, permits);
        return context.changes().refund(KeyNames.shortened(key), permits);
    }

    @Override
    public void reset(String key) {
        context.await(forgotten(key));
    }

    @Override
    public CompletionStage<Void> resetAsync(String key) {
        return stage(() -> forgotten(key).done());
    }

    private ChangeCall forgotten(String key) {
        Arguments.require(key, 0);
        return context.changes().reset(KeyNames.shortened(key));
    }

    private static <T> CompletionStage<T> stage(Supplier<? extends CompletionStage<T>> start) {
        try {
            return start.get();
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }
}
