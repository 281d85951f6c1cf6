package io.sluice.redis;

import io.sluice.Limit;
import io.sluice.LimiterOptions;
import io.sluice.RateLimiter;
import io.sluice.spi.LimiterSpec;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

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

    /**
     * The limiter of that name, with the limits that Redis knows, if it can be asked.
     *
     * @param explicit whether the options are the limiter's own, not those that the store has for all
     */
    RedisLimiter limiter(String name, LimiterOptions options, boolean explicit, List<Limit> limits) {
        RedisLimiter limiter = made(name, options, explicit, limits, true);
        limiter.agreement.want();
        if (!limiter.agreement.brought().equals(limits) && !limiter.limits().equals(limits)) {
            throw new IllegalStateException("limiter \"" + name + "\": exists with " + limiter.limits() + ", not "
                    + limits + " (expected: the same limits, or update)");
        }
        if (!limiter.isAgreed()) {
            agree(limiter);
        }
        return limiter;
    }

    /** @param keeps whether it is in use until the store is closed, even if somebody holds it for a time */
    private RedisLimiter made(
            String name, LimiterOptions options, boolean explicit, List<Limit> limits, boolean keeps) {
        return limiters.compute(name, (unused, known) -> {
            RedisLimiter limiter =
                    known == null ? new RedisLimiter(store, name, options, explicit, limits) : known.open();
            limiter.kept |= keeps || limiter.holders == 0;
            return limiter;
        });
    }

    /** Limiters for {@link #enforce}, made ahead of it. */
    List<RateLimiter> hold(List<LimiterSpec> specs) {
        List<RateLimiter> held = new ArrayList<>(specs.size());
        for (LimiterSpec spec : specs) {
            held.add(limiters.compute(spec.name(), (name, known) -> {
                RedisLimiter limiter = known == null
                        ? new RedisLimiter(store, name, spec.options(), true, List.of(spec.limit()))
                        : known.open();
                limiter.holders++;
                return limiter;
            }));
        }
        return held;
    }

    /*
     * A process that once had thousands of limiters must not go on to agree on them. Who still has one may use it: it knows the
     * terms, and catches up when it meets a key of newer ones.
     */
    void release(List<RateLimiter> released) {
        for (RateLimiter each : released) {
            if (each instanceof RedisLimiter limiter && limiter.store() == store) {
                limiters.computeIfPresent(limiter.name(), (name, known) -> {
                    boolean forgotten = known == limiter && --limiter.holders == 0 && !limiter.kept;
                    return forgotten ? null : known;
                });
            }
        }
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
            RedisLimiter limiter = made(spec.name(), spec.options(), true, limits, false);
            limiter.agreement.want();
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

    /** Redis answers: what it could not be told before, it may be told now. */
    void retryWhatFailed() {
        enforcement.retryIfFailed();
    }

    /** Whether its limits are on their way to be put in force together with others. */
    boolean isPending(RedisLimiter limiter) {
        return enforcement.isPending(limiter.name());
    }

    boolean isKnown(String name) {
        return limiters.containsKey(name);
    }

    /** A limiter that was made already; null if it was released since. */
    @Nullable
    RedisLimiter known(String name) {
        return limiters.get(name);
    }

    Collection<RedisLimiter> all() {
        return limiters.values();
    }

    void close() {
        limiters.values().forEach(RateLimiter::close);
    }
}
