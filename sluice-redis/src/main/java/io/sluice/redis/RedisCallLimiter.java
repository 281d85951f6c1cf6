package io.sluice.redis;

import io.sluice.CallLimiter;
import io.sluice.Decision;
import io.sluice.Limit;
import io.sluice.LimiterOptions;
import io.sluice.redis.Call.Verb;
import io.sluice.spi.RecentLimits;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/*
 * Every call says its limit, and a key is stored together with the limit by which it was charged last. So there is nothing
 * to agree on: no limit of a call is in the configuration. What a call needs besides (the names of keys, what to do without
 * Redis) has a limiter that the store does not know by name.
 */
/** A call limiter of a {@link RedisStore}. */
final class RedisCallLimiter implements CallLimiter {
    /** What calls are made on; it has no limits of its own. */
    final RedisLimiter carrier;

    private final RecentLimits<Terms> recent = new RecentLimits<>(Terms::carried);

    RedisCallLimiter(RedisStore store, String name, LimiterOptions options) {
        this.carrier = RedisLimiter.carrier(store, name, options);
    }

    /** The terms of a limit that comes with a call. */
    Terms terms(Limit limit) {
        return recent.get(Objects.requireNonNull(limit, "limit"));
    }

    @Override
    public String name() {
        return carrier.name();
    }

    @Override
    public Decision check(String key, long permits, Limit limit) {
        CompletableFuture<Decision> asked = ask(key, permits, limit);
        return asked instanceof CheckCall call ? call.await() : asked.join();
    }

    @Override
    public CompletionStage<Decision> checkAsync(String key, long permits, Limit limit) {
        return stage(() -> ask(key, permits, limit));
    }

    @Override
    public Decision peek(String key, long permits, Limit limit) {
        return look(key, permits, limit).await();
    }

    @Override
    public CompletionStage<Decision> peekAsync(String key, long permits, Limit limit) {
        return stage(() -> look(key, permits, limit));
    }

    private CheckCall look(String key, long permits, Limit limit) {
        Input.require(key, permits);
        return submit(Verb.PEEK, KeyNames.shortened(key), permits, terms(limit));
    }

    private CompletableFuture<Decision> ask(String key, long permits, Limit limit) {
        Input.require(key, permits);
        String kept = KeyNames.shortened(key);
        Terms own = terms(limit);
        Decision remembered = carrier.denials().find(carrier, kept, permits, own);
        if (remembered != null) {
            carrier.store().events.denialRemembered(carrier);
            return CompletableFuture.completedFuture(remembered);
        }
        return submit(Verb.CHECK, kept, permits, own);
    }

    private CheckCall submit(Verb verb, String key, long permits, Terms own) {
        CheckCall call = new CheckCall(verb, carrier, key, permits, own);
        carrier.store().lanes.submit(call);
        return call;
    }

    @Override
    public void refund(String key, long permits) {
        refunded(key, permits).await();
    }

    @Override
    public CompletionStage<Void> refundAsync(String key, long permits) {
        return stage(() -> RedisLimiter.done(refunded(key, permits)));
    }

    private ChangeCall refunded(String key, long permits) {
        Input.require(key, permits);
        return carrier.changes.refund(KeyNames.shortened(key), permits);
    }

    @Override
    public void reset(String key) {
        forgotten(key).await();
    }

    @Override
    public CompletionStage<Void> resetAsync(String key) {
        return stage(() -> RedisLimiter.done(forgotten(key)));
    }

    private ChangeCall forgotten(String key) {
        Input.require(key, 0);
        return carrier.changes.reset(KeyNames.shortened(key));
    }

    private static <T> CompletionStage<T> stage(Supplier<? extends CompletionStage<T>> start) {
        try {
            return start.get();
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }
}
