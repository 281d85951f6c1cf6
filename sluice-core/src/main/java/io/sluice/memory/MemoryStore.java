package io.sluice.memory;

import io.sluice.CallLimiter;
import io.sluice.Charge;
import io.sluice.Decisions;
import io.sluice.Limit;
import io.sluice.RateLimiter;
import io.sluice.TimeSource;
import io.sluice.memory.keys.KeyCount;
import io.sluice.memory.keys.Keys;
import io.sluice.memory.state.Backoff;
import io.sluice.spi.LimiterSpec;
import io.sluice.spi.PolicyStore;
import io.sluice.spi.Publication;
import io.sluice.spi.TentativeDecision;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Keeps the state of this process, in memory. A key whose state is fresh again is dropped and costs nothing. Beyond a cap
 * on keys others make room: those that have used the least of their limit, the longest unused first; what is used up,
 * locked or paused goes last. Limiters that have more keys than their fair share give theirs first. While no more keys
 * than the cap have used more than a tenth of their limit, none of these is evicted; what proves that may take some keys
 * more than the cap (at most a 64th, and those that are being decided).
 *
 * <pre>{@code
 * MemoryStore store = MemoryStore.builder().maxKeys(100_000).build();
 * RateLimiter perUser = store.limiter("per-user", Limit.parse("600/min"));
 * RateLimiter overall = store.limiter("overall", Limit.parse("10000/s"));
 * store.decide(List.of(perUser.charge(user, 1), overall.charge("", 1))).allowed();
 * }</pre>
 */
public final class MemoryStore implements PolicyStore {
    private final TimeSource time;
    private final Keys keys;
    private final ConcurrentHashMap<String, MemoryLimiter> limiters = new ConcurrentHashMap<>();
    private final ConcurrentHashMap<String, MemoryCallLimiter> callLimiters = new ConcurrentHashMap<>();
    private final ConcurrentHashMap<String, MemoryPublication> publications = new ConcurrentHashMap<>();

    /** How often limits were put in force together, twice: odd while that is being done. */
    private volatile long enforcements;

    private MemoryStore(Builder builder) {
        time = builder.time;
        keys = new Keys(new KeyCount(builder.maxKeys, builder.weighs), time);
    }

    /** A store with the defaults of {@link #builder()}. */
    public static MemoryStore create() {
        return builder().build();
    }

    /** Starts a store on the system's clocks, with at most 1,000,000 keys. */
    public static Builder builder() {
        return new Builder();
    }

    /** How many keys may hold state at once. */
    public long maxKeys() {
        return keys.max();
    }

    /** How many keys hold state now. */
    public long size() {
        return keys.size();
    }

    /** How many keys lost state that was not fresh, because there were more than the store may hold. */
    public long evictions() {
        return keys.evictions();
    }

    /** How many of those were keys of this limiter; 0 if there is none of that name. */
    public long evictions(String limiter) {
        Objects.requireNonNull(limiter, "limiter");
        MemoryLimiter named = limiters.get(limiter);
        MemoryCallLimiter calls = callLimiters.get(limiter);
        return named != null ? named.evictions() : calls != null ? calls.space.evictions() : 0;
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
        return limiters.compute(name, (unused, known) -> {
            if (known == null) {
                forgetCalls(name);
                return new MemoryLimiter(this, name, limits, keys, time);
            }
            return known.open().askedFor(limits);
        });
    }

    /** A name that is only known from a snapshot may be given to the other kind. */
    private void forgetCalls(String name) {
        MemoryCallLimiter calls = callLimiters.get(name);
        if (calls != null && calls.isAsked()) {
            throw new IllegalStateException(
                    "limiter \"" + name + "\": exists as a call limiter (expected: another name)");
        } else if (calls != null) {
            callLimiters.remove(name);
            calls.space.retire();
        }
    }

    @Override
    public CallLimiter callLimiter(String name) {
        Objects.requireNonNull(name, "name");
        // Under the same lock as a limiter of that name.
        limiters.compute(name, (unused, known) -> {
            if (known != null && known.isAsked()) {
                throw new IllegalStateException(
                        "call limiter \"" + name + "\": exists as a limiter (expected: another name)");
            } else if (known != null) {
                known.retire();
            }
            callLimiters
                    .computeIfAbsent(name, absent -> new MemoryCallLimiter(this, name, keys, time))
                    .askedFor();
            return null;
        });
        return Objects.requireNonNull(callLimiters.get(name));
    }

    static List<Limit> allOf(Limit limit, Limit... more) {
        List<Limit> limits = new ArrayList<>();
        limits.add(limit);
        limits.addAll(Arrays.asList(more));
        return List.copyOf(limits);
    }

    @Override
    public List<RateLimiter> limiters(List<LimiterSpec> specs) {
        List<RateLimiter> made = new ArrayList<>(specs.size());
        synchronized (limiters) {
            specs.forEach(spec -> made.add(made(spec.name(), List.of(spec.limit()))));
        }
        return made;
    }

    /*
     * All that takes time is done before: what is left is to link new terms behind the old ones. A decision that meets the
     * moment between the first and the last of them lets go of its keys and begins anew.
     */
    @Override
    public List<RateLimiter> enforce(List<LimiterSpec> specs) {
        List<RateLimiter> enforced = new ArrayList<>(specs.size());
        List<MemoryLimiter> changed = new ArrayList<>();
        synchronized (limiters) {
            List<Runnable> changes = new ArrayList<>();
            for (LimiterSpec spec : specs) {
                MemoryLimiter limiter = made(spec.name(), List.of(spec.limit()));
                enforced.add(limiter);
                long revision = spec.options().revision();
                if (revision >= limiter.revision()) {
                    limiter.revision(revision);
                    if (!limiter.limits().equals(List.of(spec.limit()))) {
                        changed.add(limiter);
                        changes.add(limiter.change(spec.limit()));
                    }
                }
            }
            if (!changes.isEmpty()) {
                enforce(changes);
            }
        }
        changed.forEach(MemoryLimiter::changed);
        return enforced;
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // by one thread at a time
    private void enforce(Iterable<Runnable> changes) {
        enforcements++;
        try {
            changes.forEach(Runnable::run);
        } finally {
            enforcements++;
        }
    }

    /** Which limits are in force: another number after they have changed together, odd while they do. */
    long enforcements() {
        return enforcements;
    }

    @Override
    public List<List<Limit>> limits(List<RateLimiter> limiters) {
        for (int attempt = 0; ; attempt++) {
            long before = enforcements;
            List<List<Limit>> limits =
                    limiters.stream().map(RateLimiter::limits).toList();
            if ((before & 1) == 0 && before == enforcements) {
                return limits;
            }
            Backoff.pause(attempt);
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
        return quick != null ? quick : decide(charges, false).decisions();
    }

    private MemoryTentativeDecision decide(List<Charge> charges, boolean cancellable) {
        for (int attempt = 0; ; attempt++) {
            long before = enforcements;
            MemoryTentativeDecision taken =
                    (before & 1) != 0 ? null : new JointDecision(this, charges, time, before).decide(cancellable);
            if (taken != null) {
                return taken;
            }
            Backoff.pause(attempt);
        }
    }

    /**
     * Decides charges like {@link #decide}, but what was taken can be given back: for a request on which somebody else has the
     * last word. Until then other requests may be denied because of it, which starts no lockout.
     */
    public TentativeDecision decideTentatively(List<Charge> charges) {
        return decide(charges, true);
    }

    MemoryChargeable limiterOf(Charge charge) {
        if (charge.limiter() instanceof MemoryChargeable limiter && limiter.store() == this) {
            return limiter;
        }
        throw new IllegalArgumentException("charge on limiter \""
                + charge.limiter().name() + "\": of another store (expected: one of this store)");
    }

    /**
     * Writes all that later decisions depend on, for {@link #restore}: of every limiter its limits and what each key has used,
     * and the publications. Who waits is not in it, nor are receipts: what a reservation took stays taken.
     *
     * <p>Decisions go on meanwhile. Each key is written as it stands when its turn comes; keys that are decided together may
     * be written one from before a decision and one from after it.
     *
     * @param out is written to in large pieces, flushed and left open
     */
    public Snapshot save(OutputStream out) throws IOException {
        return new SnapshotWriter(out, time).write(limiters.values(), callLimiters.values(), publications.values());
    }

    /**
     * Goes on from what {@link #save} wrote, as if the process had lived on: the time that has passed since, by the wall
     * clock, has refilled what it refills; if that clock was set back, none has.
     *
     * <p>Whoever asks first for a limiter brings the limits in force: if they are others than those in the snapshot, that
     * is an update, and what was used stays used. What nobody asks for is kept until it is fresh.
     *
     * @param in is read up to the end of the snapshot, and left open
     * @throws SnapshotException if it is no whole snapshot, saying what is wrong; then nothing was restored
     * @throws IllegalStateException if the store has limiters or publications already
     */
    public Snapshot restore(InputStream in) throws IOException {
        requireUnused();
        SnapshotReader reader = new SnapshotReader(in, time);
        Snapshot snapshot = reader.read();
        requireUnused();
        reader.limiters().forEach(saved -> limiters.put(saved.name(), new MemoryLimiter(this, saved, keys, time)));
        reader.calls()
                .forEach(saved -> callLimiters.put(
                        saved.name(), new MemoryCallLimiter(this, saved.name(), saved.space(keys, time), time)));
        reader.publications()
                .forEach((name, editions) -> publications.put(name, new MemoryPublication(name, time, editions)));
        return snapshot;
    }

    private void requireUnused() {
        if (!limiters.isEmpty() || !callLimiters.isEmpty() || !publications.isEmpty()) {
            throw new IllegalStateException("restore: the store has limiters or publications already"
                    + " (expected: a store that nobody has used yet)");
        }
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
        private static final long BYTES_OF_A_KEY = 720;

        private long maxKeys = 1_000_000;
        private boolean weighs;
        private TimeSource time = TimeSource.system();

        private Builder() {}

        /** How many keys may hold state at once, over all limiters, whatever they need. */
        public Builder maxKeys(long maxKeys) {
            if (maxKeys < 1) {
                throw new IllegalArgumentException("maxKeys: " + maxKeys + " (expected: at least 1)");
            }
            this.maxKeys = maxKeys;
            this.weighs = false;
            return this;
        }

        /**
         * How much memory the keys may need, instead of how many there may be: one key for each 720 bytes, which is as much as
         * any key of 200 characters needs, whatever they are, with its state. A sliding log or counter of many entries counts
         * as several keys: as one more for each 512 bytes.
         */
        public Builder maxBytes(long bytes) {
            if (bytes < BYTES_OF_A_KEY) {
                throw new IllegalArgumentException(
                        "maxBytes: " + bytes + " (expected: at least " + BYTES_OF_A_KEY + ", for one key)");
            }
            this.maxKeys = bytes / BYTES_OF_A_KEY;
            this.weighs = true;
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
