package io.sluice;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Keeps the state of this process, in memory. A key whose state is fresh again is dropped and costs nothing; beyond a cap
 * on keys, those nearest to fresh make room.
 *
 * <pre>{@code
 * MemoryStore store = MemoryStore.builder().maxKeys(100_000).build();
 * RateLimiter perUser = store.limiter("per-user", Limit.parse("600/min"));
 * RateLimiter overall = store.limiter("overall", Limit.parse("10000/s"));
 * store.decide(List.of(perUser.charge(user, 1), overall.charge("", 1))).allowed();
 * }</pre>
 */
public final class MemoryStore implements Store {
    private final TimeSource time;
    private final Keys keys;
    private final ConcurrentHashMap<String, MemoryLimiter> limiters = new ConcurrentHashMap<>();
    private final ConcurrentHashMap<String, MemoryPublication> publications = new ConcurrentHashMap<>();

    private MemoryStore(Builder builder) {
        time = builder.time;
        keys = new Keys(builder.maxKeys, time);
    }

    /** A store with the defaults of {@link #builder()}. */
    public static MemoryStore create() {
        return builder().build();
    }

    /** Starts a store on the system's clocks, with at most 1,000,000 keys. */
    public static Builder builder() {
        return new Builder();
    }

    /** How many keys hold state now. */
    public long size() {
        return keys.size();
    }

    /** How many keys lost state that was not fresh, because there were more than the store may hold. */
    public long evictions() {
        return keys.evictions();
    }

    @Override
    public RateLimiter limiter(String name, Limit limit, Limit... more) {
        Objects.requireNonNull(name, "name");
        List<Limit> limits = allOf(limit, more);
        MemoryLimiter limiter = made(name, limits);
        if (!limiter.limits().equals(limits)) {
            throw new IllegalStateException("limiter \"" + name + "\": exists with " + limiter.limits() + ", not "
                    + limits + " (expected: the same limits, or update)");
        }
        return limiter;
    }

    private MemoryLimiter made(String name, List<Limit> limits) {
        return limiters.compute(
                name,
                (unused, known) -> known == null ? new MemoryLimiter(this, name, limits, keys, time) : known.open());
    }

    static List<Limit> allOf(Limit limit, Limit... more) {
        List<Limit> limits = new ArrayList<>();
        limits.add(limit);
        limits.addAll(Arrays.asList(more));
        return List.copyOf(limits);
    }

    @Override
    public List<RateLimiter> enforce(List<LimiterSpec> specs) {
        List<RateLimiter> enforced = new ArrayList<>(specs.size());
        synchronized (limiters) {
            for (LimiterSpec spec : specs) {
                List<Limit> limits = List.of(spec.limit());
                MemoryLimiter limiter = made(spec.name(), limits);
                if (!limiter.limits().equals(limits)) {
                    limiter.update(spec.limit());
                }
                enforced.add(limiter);
            }
        }
        return enforced;
    }

    @Override
    public List<List<Limit>> limits(List<RateLimiter> limiters) {
        synchronized (this.limiters) {
            return limiters.stream().map(RateLimiter::limits).toList();
        }
    }

    @Override
    public Publication publication(String name) {
        return publications.computeIfAbsent(
                Objects.requireNonNull(name, "name"), unused -> new MemoryPublication(name, time));
    }

    @Override
    public Decisions decide(List<Charge> charges) {
        Decisions quick = QuickDecision.decide(this, charges, time);
        return quick != null
                ? quick
                : new JointDecision(this, charges, time).decide(false).decisions();
    }

    /**
     * {@link #decide}, but what was taken can be given back: for a request that something else has the last word on.
     * Meanwhile others may be denied because of it, which starts no lockout.
     */
    public Taken take(List<Charge> charges) {
        return new JointDecision(this, charges, time).decide(true);
    }

    MemoryLimiter limiterOf(Charge charge) {
        if (charge.limiter() instanceof MemoryLimiter limiter && limiter.store() == this) {
            return limiter;
        }
        throw new IllegalArgumentException("charge on limiter \""
                + charge.limiter().name() + "\": of another store (expected: one of this store)");
    }

    @Override
    public CompletionStage<Decisions> decideAsync(List<Charge> charges) {
        try {
            return CompletableFuture.completedFuture(decide(charges));
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    @Override
    public void close() {
        limiters.values().forEach(RateLimiter::close);
    }

    /** What a {@link MemoryStore} is made of. */
    public static final class Builder {
        private long maxKeys = 1_000_000;
        private TimeSource time = TimeSource.system();

        private Builder() {}

        /** How many keys may hold state at once, over all limiters. */
        public Builder maxKeys(long maxKeys) {
            if (maxKeys < 1) {
                throw new IllegalArgumentException("maxKeys: " + maxKeys + " (expected: at least 1)");
            }
            this.maxKeys = maxKeys;
            return this;
        }

        /** Where the time comes from. */
        public Builder time(TimeSource time) {
            this.time = Objects.requireNonNull(time, "time");
            return this;
        }

        public MemoryStore build() {
            return new MemoryStore(this);
        }
    }
}
