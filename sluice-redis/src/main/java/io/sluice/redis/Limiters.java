package io.sluice.redis;

import io.sluice.Limit;
import io.sluice.LimiterOptions;
import io.sluice.RateLimiter;
import io.sluice.redis.call.ColdStart;
import io.sluice.redis.connect.Connection;
import io.sluice.redis.connect.Futures;
import io.sluice.redis.limits.AgreedLimits;
import io.sluice.redis.limits.Config;
import io.sluice.redis.limits.LimitLog;
import io.sluice.redis.script.Arguments;
import io.sluice.redis.script.KeyNames;
import io.sluice.spi.LimiterSpec;
import io.sluice.spi.ListenedLimiter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The limiters of a store, by name. */
final class Limiters {
    private static final long PATIENCE_NANOS = 1_000_000_000L;

    private final LimiterFactory factory;
    private final Config config;
    private final Connection connection;
    private final ColdStart coldStart;
    private final LimitLog limitLog;
    /** By {@link KeyNames#shortName}. */
    private final Map<String, RedisLimiter> limiters = new ConcurrentHashMap<>();

    Limiters(LimiterFactory factory, Connection connection) {
        this.factory = factory;
        this.config = factory.config();
        this.coldStart = factory.services().coldStart();
        this.limitLog = factory.limitLog();
        this.connection = connection;
    }

    /**
     * The limiter of that name, with the limits that Redis has, if Redis can be reached.
     *
     * @param explicit whether the options were set for this limiter, and are not the defaults of the store
     */
    RedisLimiter limiter(String name, LimiterOptions options, boolean explicit, List<Limit> limits) {
        RedisLimiter limiter = findOrCreate(name, options, explicit, limits, true);
        limiter.agreement.want();
        if (!limiter.agreement.configured().equals(limits) && !limiter.limits().equals(limits)) {
            throw new IllegalStateException("limiter \"" + name + "\": exists with " + limiter.limits() + ", not "
                    + limits + " (expected: the same limits, or update)");
        }
        if (!limiter.agreement.isAgreed()) {
            agree(limiter);
        }
        return limiter;
    }

    /** @param keeps whether the limiter stays until the store is closed, even if all holders release it */
    private RedisLimiter findOrCreate(
            String name, LimiterOptions options, boolean explicit, List<Limit> limits, boolean keeps) {
        return limiters.compute(KeyNames.shortName(name), (unused, known) -> {
            RedisLimiter limiter = known == null ? factory.limiter(name, options, explicit, limits) : known.open();
            limiter.kept |= keeps || limiter.holders == 0;
            return limiter;
        });
    }

    /** Creates limiters for a later {@link #enforce}, and holds them. */
    List<RateLimiter> hold(List<LimiterSpec> specs) {
        specs.forEach(spec -> Arguments.requireShared(spec.limit()));
        List<RateLimiter> held = new ArrayList<>(specs.size());
        for (LimiterSpec spec : specs) {
            RedisLimiter made = limiters.compute(KeyNames.shortName(spec.name()), (unused, known) -> {
                RedisLimiter limiter = known == null
                        ? factory.limiter(spec.name(), spec.options(), true, List.of(spec.limit()))
                        : known.open();
                limiter.holders++;
                return limiter;
            });
            held.add(ListenedLimiter.of(made, spec.options()));
        }
        return held;
    }

    /*
     * A process that once had thousands of limiters must not agree on their limits for ever. A released limiter can still be
     * used: it knows its limits, and learns newer ones when it meets a key that was written under them.
     */
    void release(List<RateLimiter> released) {
        for (RateLimiter each : released) {
            if (ListenedLimiter.decider(each) instanceof RedisLimiter limiter) {
                limiters.computeIfPresent(KeyNames.shortName(limiter.name()), (unused, known) -> {
                    boolean forgotten = known == limiter && --limiter.holders == 0 && !limiter.kept;
                    return forgotten ? null : known;
                });
            }
        }
    }

    /** Agrees with Redis on the limits. Waits for a short time; after that, the limiter starts without Redis. */
    private void agree(RedisLimiter limiter) {
        long patience = Math.max(coldStart.awaitConnection(), PATIENCE_NANOS);
        if (Futures.isLateOrFailed(config.agree(limiter.agreement), Math.max(factory.deadlineNanos(), patience))) {
            connection.check();
        }
    }

    /** Limiters with these limits, which are in force as soon as Redis can be reached. */
    List<RateLimiter> enforce(List<LimiterSpec> specs) {
        specs.forEach(spec -> Arguments.requireShared(spec.limit()));
        List<RateLimiter> enforced = new ArrayList<>(specs.size());
        List<AgreedLimits> agreements = new ArrayList<>(specs.size());
        for (LimiterSpec spec : specs) {
            List<Limit> limits = List.of(spec.limit());
            // ALLOW is what policies have by default. So it is not explicit: a caller that waits, waits for Redis.
            RedisLimiter limiter = findOrCreate(spec.name(), spec.options(), false, limits, false);
            limiter.agreement.want();
            limiter.configure(spec.options(), limits);
            limitLog.enforced(limiter.name());
            agreements.add(limiter.agreement);
            enforced.add(ListenedLimiter.of(limiter, spec.options()));
        }
        if (!specs.isEmpty()) {
            coldStart.awaitConnection();
            config.enforcement().enforce(agreements, specs);
        }
        return List.copyOf(enforced);
    }

    /** The limiter with a {@linkplain KeyNames#shortName short name}; null if it is unknown or was released. */
    @Nullable
    RedisLimiter known(String shortName) {
        return limiters.get(shortName);
    }

    boolean isKnown(String name) {
        return limiters.containsKey(KeyNames.shortName(name));
    }

    /** The limits of one limiter; null if it is unknown or was released. */
    @Nullable
    AgreedLimits find(String name) {
        RedisLimiter limiter = limiters.get(KeyNames.shortName(name));
        return limiter == null ? null : limiter.agreement;
    }

    /** The limits of all limiters. */
    List<AgreedLimits> all() {
        return limiters.values().stream().map(limiter -> limiter.agreement).toList();
    }

    /** Whether this process has agreed with Redis on the limits that it wants in force. Until then, Redis decides nothing. */
    boolean areAgreed() {
        for (RedisLimiter limiter : limiters.values()) {
            if (limiter.agreement.isWanted() && !limiter.agreement.isAgreed()) {
                return false;
            }
        }
        return true;
    }

    boolean isEmpty() {
        return limiters.isEmpty();
    }

    void close() {
        limiters.values().forEach(RateLimiter::close);
    }
}
