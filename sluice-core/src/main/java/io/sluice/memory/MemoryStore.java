package io.sluice.memory;

import io.sluice.CallLimiter;
import io.sluice.Charge;
import io.sluice.Decision;
import io.sluice.Decisions;
import io.sluice.HoldEndedException;
import io.sluice.Limit;
import io.sluice.RateLimiter;
import io.sluice.ReservationEndedException;
import io.sluice.TimeSource;
import io.sluice.memory.keys.KeyCount;
import io.sluice.memory.keys.KeyRegistry;
import io.sluice.memory.snapshot.Snapshot;
import io.sluice.memory.snapshot.SnapshotException;
import io.sluice.memory.snapshot.SnapshotReader;
import io.sluice.memory.snapshot.SnapshotWriter;
import io.sluice.memory.state.Backoff;
import io.sluice.spi.EnteredCharges;
import io.sluice.spi.HoldKeeper;
import io.sluice.spi.KeptNow;
import io.sluice.spi.LimiterSpec;
import io.sluice.spi.ListenedCharges;
import io.sluice.spi.ListenedLimiter;
import io.sluice.spi.PolicyStore;
import io.sluice.spi.Publication;
import io.sluice.spi.ReservedCharges;
import io.sluice.spi.SettledCharge;
import io.sluice.spi.TentativeDecision;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * A store that keeps the state of keys in the memory of this process. Thread-safe.
 *
 * <p>The store removes a key whose state is fresh again. It has a maximum number of keys. Above it, the store evicts the keys
 * that have used the least of their limit, the longest unused first. Keys that are used up, locked out or paused are evicted
 * last. Limiters with more keys than their fair share lose keys first.
 *
 * <p>A key that has used more than a tenth of its limit is safe, as long as the number of such keys is at most the maximum.
 * To prove that before an eviction, the store may hold some keys more than the maximum: at most a 64th of it, and the keys
 * that are being decided.
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
    private final Executor executor;
    private final KeyRegistry registry;
    private final ConcurrentHashMap<String, MemoryLimiter> limiters = new ConcurrentHashMap<>();
    private final ConcurrentHashMap<String, MemoryCallLimiter> callLimiters = new ConcurrentHashMap<>();
    private final ConcurrentHashMap<String, MemoryPublication> publications = new ConcurrentHashMap<>();

    private final KeptReservations reservations;
    private final HoldKeeper holdKeeper;

    /** Grows by two each time that {@link #enforce} changes limits. Odd while it does. */
    private volatile long enforcements;

    private MemoryStore(Builder builder) {
        time = builder.time;
        executor = builder.executor;
        holdKeeper = new HoldKeeper(time);
        reservations = new KeptReservations(time, Math.max(2000, builder.maxKeys / 4));
        registry = new KeyRegistry(new KeyCount(builder.maxKeys, builder.countsWeight), time);
    }

    /** A store with the defaults of {@link #builder()}. */
    public static MemoryStore create() {
        return builder().build();
    }

    /** A builder of a store. Defaults: the system's clocks, at most 1,000,000 keys, the common pool. */
    public static Builder builder() {
        return new Builder();
    }

    /** The maximum number of keys. */
    public long maxKeys() {
        return registry.max();
    }

    /** The number of keys that have state now. */
    public long size() {
        return registry.size();
    }

    /** The executor that completes asynchronous waits. */
    Executor executor() {
        return executor;
    }

    /** How many keys were evicted that were not fresh, because the store was full. */
    public long evictions() {
        return registry.evictions();
    }

    /** How many keys of one limiter were evicted that were not fresh. 0 if there is no limiter of that name. */
    public long evictions(String limiter) {
        Objects.requireNonNull(limiter, "limiter");
        MemoryLimiter named = limiters.get(limiter);
        MemoryCallLimiter calls = callLimiters.get(limiter);
        return named != null ? named.evictions() : calls != null ? calls.table.evictions() : 0;
    }

    @Override
    public RateLimiter limiter(String name, Limit limit, Limit... more) {
        Objects.requireNonNull(name, "name");
        List<Limit> limits = allOf(limit, more);
        MemoryLimiter limiter = getOrCreate(name, limits);
        if (!limiter.limits().equals(limits)) {
            throw new IllegalStateException("limiter \"" + name + "\": exists with " + limiter.limits() + ", not "
                    + limits + " (expected: the same limits, or update)");
        }
        return limiter;
    }

    private MemoryLimiter getOrCreate(String name, List<Limit> limits) {
        return limiters.compute(name, (unused, known) -> {
            if (known == null) {
                removeCallLimiter(name);
                return new MemoryLimiter(this, name, limits, registry, time);
            }
            return known.open().requestedWith(limits);
        });
    }

    /** Removes a call limiter that comes from a snapshot and was not requested: its name may be used for a limiter. */
    private void removeCallLimiter(String name) {
        MemoryCallLimiter calls = callLimiters.get(name);
        if (calls != null && calls.isRequested()) {
            throw new IllegalStateException(
                    "limiter \"" + name + "\": exists as a call limiter (expected: another name)");
        } else if (calls != null) {
            callLimiters.remove(name);
            calls.table.retire();
        }
    }

    @Override
    public CallLimiter callLimiter(String name) {
        Objects.requireNonNull(name, "name");
        // Under the same lock as the creation of a limiter of that name.
        limiters.compute(name, (unused, known) -> {
            if (known != null && known.isRequested()) {
                throw new IllegalStateException(
                        "call limiter \"" + name + "\": exists as a limiter (expected: another name)");
            } else if (known != null) {
                known.retire();
            }
            callLimiters
                    .computeIfAbsent(name, absent -> new MemoryCallLimiter(this, name, registry, time))
                    .markRequested();
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
        List<RateLimiter> created = new ArrayList<>(specs.size());
        synchronized (limiters) {
            specs.forEach(spec ->
                    created.add(ListenedLimiter.of(getOrCreate(spec.name(), List.of(spec.limit())), spec.options())));
        }
        return created;
    }

    /*
     * Everything that takes time is done first. Then the new active limits are linked behind the old ones. A decision that
     * runs between the first and the last of them unlocks its keys and starts again.
     */
    @Override
    public List<RateLimiter> enforce(List<LimiterSpec> specs) {
        List<RateLimiter> enforced = new ArrayList<>(specs.size());
        List<MemoryLimiter> changed = new ArrayList<>();
        synchronized (limiters) {
            List<Runnable> changes = new ArrayList<>();
            for (LimiterSpec spec : specs) {
                MemoryLimiter limiter = getOrCreate(spec.name(), List.of(spec.limit()));
                enforced.add(ListenedLimiter.of(limiter, spec.options()));
                long revision = spec.options().revision();
                if (revision >= limiter.revision()) {
                    limiter.revision(revision);
                    if (!limiter.limits().equals(List.of(spec.limit()))) {
                        changed.add(limiter);
                        changes.add(limiter.prepareUpdate(spec.limit()));
                    }
                }
            }
            if (!changes.isEmpty()) {
                enforce(changes);
            }
        }
        changed.forEach(MemoryLimiter::limitsChanged);
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

    /** A number that changes when {@link #enforce} changes limits. Odd while it does. */
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
        if (quick != null) {
            return quick;
        }
        ListenedCharges listened = ListenedCharges.of(charges);
        return listened.areListened()
                ? listened.report(decide(listened.charges()))
                : decide(charges, JointDecision.Holding.REFUSED, false).decisions();
    }

    /** Decides charges like {@link #decide}. Those on limits of concurrency only look. */
    List<Decision> decideRates(List<Charge> charges) {
        ListenedCharges listened = ListenedCharges.of(charges);
        return listened.report(decide(listened.charges(), JointDecision.Holding.IGNORED, false)
                        .decisions())
                .each();
    }

    private MemoryTentativeDecision decide(List<Charge> charges, JointDecision.Holding holding, boolean cancellable) {
        for (int attempt = 0; ; attempt++) {
            long before = enforcements;
            MemoryTentativeDecision taken = (before & 1) != 0
                    ? null
                    : new JointDecision(this, charges, holding, time, before).decide(cancellable);
            if (taken != null) {
                return taken;
            }
            Backoff.pause(attempt);
        }
    }

    /**
     * Decides charges like {@link #decide}, but the permits can be given back: for a request that another store must allow
     * too. Until then, other requests may be denied because of these permits. Such a denial starts no lockout.
     */
    public TentativeDecision decideTentatively(List<Charge> charges) {
        return decideTentatively(charges, JointDecision.Holding.REFUSED);
    }

    private TentativeDecision decideTentatively(List<Charge> charges, JointDecision.Holding holding) {
        ListenedCharges listened = ListenedCharges.of(charges);
        TentativeDecision decision = decide(listened.charges(), holding, true);
        listened.report(decision.decisions());
        return decision;
    }

    /**
     * Decides charges like {@link #enterAsync}, but everything can be given back, as with {@link #decideTentatively}. {@link
     * TentativeDecision#entered()} tells what is held, which is not renewed.
     */
    public TentativeDecision enterTentatively(List<Charge> charges) {
        return decideTentatively(charges, JointDecision.Holding.ENTER);
    }

    @Override
    public CompletionStage<ReservedCharges> reserveAsync(List<Charge> charges, Duration ttl) {
        try {
            requireSamePermits(charges);
            TentativeDecision decision = decideTentatively(charges);
            Decisions decisions = decision.decisions();
            return CompletableFuture.completedFuture(
                    new ReservedCharges(decisions, decisions.allowed() ? decision.keep(ttl) : null));
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    private static void requireSamePermits(List<Charge> charges) {
        if (charges.stream().mapToLong(Charge::permits).distinct().count() > 1) {
            throw new IllegalArgumentException("charges for different numbers of permits (expected: one estimate)");
        }
    }

    @Override
    public CompletionStage<List<SettledCharge>> settleAsync(String id, long actual, KeptNow kept) {
        try {
            MemoryLimiter.requirePermits(actual);
            KeptReservations.requireId(id);
            KeptReservation reservation = reservations.take(id);
            if (reservation == null) {
                throw new ReservationEndedException(
                        "the reservation was settled before, its time is over, or this store never had it");
            }
            return CompletableFuture.completedFuture(reservation.settle(this, actual, kept, time));
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    @Override
    public CompletionStage<EnteredCharges> enterAsync(List<Charge> charges) {
        try {
            Decisions quick = QuickDecision.decide(this, charges, time);
            if (quick != null) {
                return CompletableFuture.completedFuture(EnteredCharges.withoutHolds(quick));
            }
            ListenedCharges listened = ListenedCharges.of(charges);
            TentativeDecision decision = decide(listened.charges(), JointDecision.Holding.ENTER, false);
            listened.report(decision.decisions());
            return CompletableFuture.completedFuture(decision.entered());
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    @Override
    public CompletionStage<Void> releaseAsync(String holds) {
        return withHolds(holds, held -> JointHolds.leave(held, false, time));
    }

    @Override
    public CompletionStage<Void> renewAsync(String holds) {
        return withHolds(holds, held -> JointHolds.renew(held, time));
    }

    /**
     * Whether everything that a text names is held now. Nothing changes.
     *
     * @param holds see {@link EnteredCharges#holds()}
     * @throws IllegalArgumentException if the text does not name holds
     */
    public boolean areHeld(String holds) {
        return JointHolds.areHeld(held(holds), time);
    }

    /** @param task returns 0 if the holds have ended */
    private CompletionStage<Void> withHolds(String text, ToLongFunction<List<JointHolds.Hold>> task) {
        try {
            if (task.applyAsLong(held(text)) == 0) {
                throw new HoldEndedException(
                        "the holds have lapsed, were released, or their key was reset (expected: holds that last)");
            }
            return CompletableFuture.completedFuture(null);
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    private List<JointHolds.Hold> held(String text) {
        List<JointHolds.Hold> held = new ArrayList<>();
        for (HeldKey key : HoldsText.parse(text)) {
            held.add(new JointHolds.Hold(limiterOf(key), key.key(), key.id()));
        }
        return held;
    }

    /** Null if the limiter is not known, so that it holds nothing. */
    private @Nullable MemoryChargeable limiterOf(HeldKey key) {
        return key.calls() ? callLimiters.get(key.limiter()) : limiters.get(key.limiter());
    }

    /** Renews the permits of all limiters. */
    HoldKeeper holdKeeper() {
        return holdKeeper;
    }

    KeptReservations reservations() {
        return reservations;
    }

    MemoryChargeable limiterOf(Charge charge) {
        if (charge.limiter() instanceof MemoryChargeable limiter && limiter.store() == this) {
            return limiter;
        }
        throw new IllegalArgumentException("charge on limiter \""
                + charge.limiter().name() + "\": a limiter of another store (expected: a limiter of this store)");
    }

    /**
     * Writes a snapshot for {@link #restore}: the limits of every limiter, the use of every key, and the publications. Waiters
     * and receipts are not saved: the permits of a reservation stay taken.
     *
     * <p>Decisions continue meanwhile. Each key is written with its state at that moment. So of two keys that are decided
     * together, one may be saved before the decision and the other after it.
     *
     * @param out is written in large blocks, flushed and left open
     */
    public Snapshot save(OutputStream out) throws IOException {
        SnapshotWriter writer = new SnapshotWriter(out, time);
        writer.begin();
        for (MemoryLimiter limiter : limiters.values()) {
            if (!limiter.isForgotten()) {
                writer.limiter(limiter.name(), limiter::inForce);
            }
        }
        for (MemoryCallLimiter limiter : callLimiters.values()) {
            writer.callLimiter(limiter.name(), limiter.table);
        }
        for (MemoryPublication publication : publications.values()) {
            writer.publication(publication.name(), publication.editions());
        }
        return writer.end();
    }

    /**
     * Reads a snapshot that {@link #save} wrote, and continues as if the process had not stopped. The time since the save, on
     * the wall clock, refills limits as usual. If that clock was set back, no time has passed.
     *
     * <p>The first request for a limiter determines its limits. If they differ from those in the snapshot, that is an update,
     * and the use stays. Keys of a limiter that is not requested are kept until they are fresh.
     *
     * @param in is read up to the end of the snapshot and left open
     * @throws SnapshotException if the input is not a complete snapshot. Nothing was restored.
     * @throws IllegalStateException if the store already has limiters or publications
     */
    public Snapshot restore(InputStream in) throws IOException {
        requireUnused();
        SnapshotReader reader = new SnapshotReader(in, time);
        Snapshot snapshot = reader.read();
        requireUnused();
        reader.limiters().forEach(saved -> limiters.put(saved.name(), new MemoryLimiter(this, saved, registry, time)));
        reader.calls()
                .forEach(saved -> callLimiters.put(
                        saved.name(), new MemoryCallLimiter(this, saved.name(), saved.table(registry, time), time)));
        reader.publications()
                .forEach((name, editions) -> publications.put(name, new MemoryPublication(name, time, editions)));
        return snapshot;
    }

    private void requireUnused() {
        if (!limiters.isEmpty() || !callLimiters.isEmpty() || !publications.isEmpty()) {
            throw new IllegalStateException("restore: the store already has limiters or publications"
                    + " (expected: a store that is not in use yet)");
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

    /** Builds a {@link MemoryStore}. */
    public static final class Builder {
        private static final long BYTES_PER_KEY = 720;

        private long maxKeys = 1_000_000;
        private boolean countsWeight;
        private TimeSource time = TimeSource.system();
        private Executor executor = ForkJoinPool.commonPool();

        private Builder() {}

        /** Sets the maximum number of keys of all limiters together, whatever their size. */
        public Builder maxKeys(long maxKeys) {
            if (maxKeys < 1) {
                throw new IllegalArgumentException("maxKeys: " + maxKeys + " (expected: at least 1)");
            }
            this.maxKeys = maxKeys;
            this.countsWeight = false;
            return this;
        }

        /**
         * Sets the maximum memory of the keys, instead of their number: one key for each 720 bytes. Any key of up to 200
         * characters fits into 720 bytes with its state. A sliding log or sliding counter with many entries, or a limit of
         * concurrency with many permits that are held, counts as several keys: one more for each 512 bytes.
         */
        public Builder maxBytes(long bytes) {
            if (bytes < BYTES_PER_KEY) {
                throw new IllegalArgumentException(
                        "maxBytes: " + bytes + " (expected: at least " + BYTES_PER_KEY + ", for one key)");
            }
            this.maxKeys = bytes / BYTES_PER_KEY;
            this.countsWeight = true;
            return this;
        }

        /** Sets the clocks. */
        public Builder time(TimeSource time) {
            this.time = Objects.requireNonNull(time, "time");
            return this;
        }

        /**
         * Sets the executor that completes asynchronous waits, so that their callbacks run there: {@code acquireAsync}, and {@code
         * tryAcquireAsync} with a timeout, if they have to wait. If it refuses a callback, the timer thread of Sluice runs it. All
         * other stages of a store in memory are complete when they are returned.
         */
        public Builder executor(Executor executor) {
            this.executor = Objects.requireNonNull(executor, "executor");
            return this;
        }

        /** Creates the store. */
        public MemoryStore build() {
            return new MemoryStore(this);
        }
    }
}
