package io.sluice.redis;

import io.sluice.Limit;
import io.sluice.LimiterOptions;
import io.sluice.OnFailure;
import io.sluice.redis.Call.Verb;
import io.sluice.redis.JointCall.Ask;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;

/*
 * On the same way as any call, so that its classes are loaded, Redis has the script, the connections to all masters of a
 * cluster are open, and the clocks of all servers are known, before anybody waits. It asks for 0 permits of keys that
 * nobody has, which writes nothing: once as a single check, once as charges that are decided together.
 */
/** Looks at keys of its own, so that the first call of a caller is not the first of all. */
final class WarmUp {
    /** So many keys are tried to find one for each server. */
    private static final int MOST_KEYS = 10_000;

    private final RedisStore store;
    private final long waitNanos;
    private final RedisLimiter limiter;

    WarmUp(RedisStore store, long waitNanos) {
        this.store = store;
        this.waitNanos = Math.max(waitNanos, store.deadlineNanos);
        LimiterOptions options = LimiterOptions.onFailure(OnFailure.ALLOW);
        // No limiter of a user has that name.
        String name = "warm-up-" + Long.toHexString(ThreadLocalRandom.current().nextLong());
        this.limiter = new RedisLimiter(store, name, options, true, List.of(Limit.parse("1/s")));
        limiter.agreement.adopt(limiter.terms());
    }

    /** Whether a limiter is not a user's. */
    boolean isOwn(RedisLimiter other) {
        return other == limiter;
    }

    /** Makes the script call of a look, which goes nowhere: most of the work, while the connection is being made. */
    void rehearse() {
        Objects.requireNonNull(Script.DECIDE);
        Batch batch = new Batch();
        looks("0", System.nanoTime()).forEach(batch::add);
        batch.arguments(0, false);
    }

    /** If a caller waits already, it would only be in the way. */
    void lookUnlessCalled(Link link) {
        if (!store.coldStart.isCalled()) {
            look(link);
        }
    }

    /** Looks once at each server. Completes, in any case, when they have answered or were given up. */
    CompletableFuture<?> look(Link link) {
        long deadline = System.nanoTime() + waitNanos;
        List<Call<?>> looks = new ArrayList<>();
        keys(link).forEach(key -> looks.addAll(looks(key, deadline)));
        looks.forEach(store.lanes::send);
        return CompletableFuture.allOf(looks.toArray(CompletableFuture[]::new));
    }

    private List<Call<?>> looks(String key, long deadline) {
        Ask ask = new Ask(limiter, key, 0, 0, false, null, null);
        return List.of(
                new CheckCall(Verb.CHECK, limiter, key, 0, deadline), new JointCall(Verb.ALL, List.of(ask), deadline));
    }

    /** A key for each server. */
    private Iterable<String> keys(Link link) {
        Map<String, String> keys = new HashMap<>();
        int servers = link.servers();
        for (int i = 0; i < MOST_KEYS && keys.size() < servers; i++) {
            String key = Integer.toString(i);
            keys.putIfAbsent(link.shardOf(link.slotOf(limiter.keyName(key))), key);
        }
        return keys.values();
    }
}
