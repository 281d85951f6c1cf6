package io.sluice.redis;

import io.sluice.Limit;
import io.sluice.LimiterOptions;
import io.sluice.LimiterSpec;
import io.sluice.RateLimiter;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;

/** The limiters of a store, by name. */
final class Limiters {
    private static final long PATIENCE_NANOS = 1_000_000_000L;

    private final RedisStore store;
    private final Map<String, RedisLimiter> limiters = new ConcurrentHashMap<>();
    private final Enforcement enforcement;

    Limiters(RedisStore store) {
        this.store = store;
        this.enforcement = new Enforcement(store);
    }

    /** The limiter of that name, with the limits that Redis knows, if it can be asked. */
    RedisLimiter limiter(String name, LimiterOptions options, List<Limit> limits) {
        RedisLimiter limiter = made(name, options, limits);
        if (!limiter.agreement.brought().equals(limits) && !limiter.limits().equals(limits)) {
            throw new IllegalStateException("limiter \"" + name + "\": exists with " + limiter.limits() + ", not "
                    + limits + " (expected: the same limits, or update)");
        }
        if (!limiter.isAgreed()) {
            agree(limiter);
        }
        return limiter;
    }

    private RedisLimiter made(String name, LimiterOptions options, List<Limit> limits) {
        return limiters.compute(
                name, (unused, known) -> known == null ? new RedisLimiter(store, name, options, limits) : known.open());
    }

    /** Waits for Redis a little; if that is too short, the limiter starts without it. */
    private void agree(RedisLimiter limiter) {
        long patience = Math.max(store.coldStart.awaitConnection(), PATIENCE_NANOS);
        if (Patience.inVain(store.config.agree(limiter), Math.max(store.deadlineNanos, patience))) {
            store.connection.check();
        }
    }

    /** Limiters with these limits in force, or as soon as Redis can be told. */
    List<RateLimiter> enforce(List<LimiterSpec> specs) {
        List<RedisLimiter> enforced = new ArrayList<>(specs.size());
        for (LimiterSpec spec : specs) {
            List<Limit> limits = List.of(spec.limit());
            RedisLimiter limiter = made(spec.name(), spec.options(), limits);
            limiter.bring(spec.options(), limits);
            store.limitLog.enforced(limiter);
            enforced.add(limiter);
        }
        if (!specs.isEmpty()) {
            store.coldStart.awaitConnection();
            enforcement.enforce(enforced, specs);
        }
        return List.copyOf(enforced);
    }

    /** Redis is there, perhaps again. */
    void connected() {
        enforcement.retry();
    }

    /** A limiter that was made already. */
    RedisLimiter known(String name) {
        return Objects.requireNonNull(limiters.get(name), name);
    }

    Collection<RedisLimiter> all() {
        return limiters.values();
    }

    void close() {
        limiters.values().forEach(RateLimiter::close);
    }
}
