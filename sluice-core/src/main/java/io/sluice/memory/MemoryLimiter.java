package io.sluice.memory;

import io.sluice.Decision;
import io.sluice.Gate;
import io.sluice.Limit;
import io.sluice.Permit;
import io.sluice.Reservation;
import io.sluice.TimeSource;
import io.sluice.exact.Exact;
import io.sluice.memory.keys.KeyRegistry;
import io.sluice.memory.keys.KeyTable;
import io.sluice.memory.keys.LockedKey;
import io.sluice.memory.keys.LockedKeys;
import io.sluice.memory.keys.Receipt;
import io.sluice.memory.snapshot.LimitsInForce;
import io.sluice.memory.snapshot.SnapshotLimiter;
import io.sluice.memory.state.ActiveLimit;
import io.sluice.memory.state.AtomicBucket;
import io.sluice.memory.state.DecisionTime;
import io.sluice.memory.state.KeyEntry;
import io.sluice.spi.EnteringCalls;
import io.sluice.spi.Predecessors;
import io.sluice.spi.ReportingLimiter;
import io.sluice.spi.WaitingCalls;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A limiter of a {@link MemoryStore}. Thread-safe. */
final class MemoryLimiter implements ReportingLimiter, MemoryChargeable {
    private final MemoryStore store;
    private final String name;
    private final KeyRegistry registry;
    private final TimeSource time;
    private final Waiters waiters;
    private final WaitingCalls<MemoryReservation> waitingCalls = new WaitingCalls<>(this, this::startWaiting);
    private final EnteringCalls enteringCalls = new EnteringCalls(this, this::startEntering);
    private final Entering entering;

    private volatile List<Limit> limits;

    /** One table for each limit, in the order in which their keys are locked. {@link #update} replaces the array. */
    private volatile KeyTable[] tables;

    /** The same tables, in the order of {@link #limits}. */
    private volatile List<KeyTable> tablesInOrder;

    /** The evictions of limits that are no longer in force. */
    private volatile long pastEvictions;

    /** The revision of the limits that {@link MemoryStore#enforce} put in force. Guarded by the lock of that method. */
    private long revision;

    /** The limiter that continues with its state after it was closed; null if there is none. */
    private volatile @Nullable MemoryLimiter successor;

    /** Whether it comes from a snapshot and this process has not requested it yet. */
    private volatile boolean unrequested;

    MemoryLimiter(MemoryStore store, String name, List<Limit> limits, KeyRegistry registry, TimeSource time) {
        this.store = store;
        this.name = name;
        this.registry = registry;
        this.time = time;
        this.limits = limits;
        this.tablesInOrder = limits.stream()
                .map(limit -> new KeyTable(limit, registry, time))
                .toList();
        this.tables = lockedInOrder(tablesInOrder);
        this.waiters = new Waiters(this, time);
        this.entering = new Entering(this, store.holdKeeper(), time);
    }

    /** Restores a limiter from a snapshot. */
    MemoryLimiter(MemoryStore store, SnapshotLimiter saved, KeyRegistry registry, TimeSource time) {
        this.store = store;
        this.name = saved.name();
        this.registry = registry;
        this.time = time;
        this.limits = saved.limits();
        this.tablesInOrder = saved.tables(registry, time);
        this.tables = lockedInOrder(tablesInOrder);
        this.waiters = new Waiters(this, time);
        this.entering = new Entering(this, store.holdKeeper(), time);
        this.unrequested = true;
    }

    private MemoryLimiter(MemoryLimiter closed) {
        store = closed.store;
        name = closed.name;
        registry = closed.registry;
        time = closed.time;
        limits = closed.limits;
        tables = closed.tables;
        tablesInOrder = closed.tablesInOrder;
        unrequested = closed.unrequested;
        revision = closed.revision;
        pastEvictions = closed.pastEvictions;
        waiters = new Waiters(this, time);
        entering = new Entering(this, store.holdKeeper(), time);
    }

    /** This limiter if it is open. Otherwise a new one that continues with its state. */
    MemoryLimiter open() {
        if (!waiters.isClosed()) {
            return this;
        }
        MemoryLimiter next = new MemoryLimiter(this);
        successor = next;
        return next;
    }

    /** The limiter that has the state now: what was taken before it was closed may be given back later. */
    MemoryLimiter latest() {
        MemoryLimiter latest = this;
        for (MemoryLimiter next = successor; next != null; next = next.successor) {
            latest = next;
        }
        return latest;
    }

    private void changed(String key) {
        latest().waiters.changed(key);
    }

    /** Marks the limiter as in use. The first request for a limiter from a snapshot determines its limits. */
    MemoryLimiter requestedWith(List<Limit> wanted) {
        if (unrequested) {
            unrequested = false;
            if (!limits.equals(wanted)) {
                waiters.exclusively(() -> replaceLimits(wanted));
            }
        }
        return this;
    }

    /** Whether this process has requested it. */
    boolean isRequested() {
        return !unrequested;
    }

    /** Ends the limiter: its keys are removed. */
    void retire() {
        for (KeyTable table : tables) {
            table.retire();
        }
    }

    /** How many of its keys were evicted that were not fresh. */
    long evictions() {
        return pastEvictions
                + Arrays.stream(tables).mapToLong(KeyTable::evictions).sum();
    }

    /** Whether nothing of it needs to be saved: this process has not requested it, and it has no keys. */
    boolean isForgotten() {
        return unrequested && Arrays.stream(tables).allMatch(table -> table.entries.isEmpty());
    }

    /** The limits in force. */
    LimitsInForce inForce() {
        List<LimitsInForce> now = new ArrayList<>(1);
        waiters.exclusively(() -> now.add(new LimitsInForce(
                limits,
                tablesInOrder,
                tablesInOrder.stream().map(KeyTable::activeLimit).toList())));
        return now.get(0);
    }

    @Override
    public MemoryStore store() {
        return store;
    }

    @Override
    public KeyTable[] tables() {
        return tables;
    }

    @Override
    public String storedKey(String key) {
        return key;
    }

    @Override
    public @Nullable ActiveLimit carriedLimit(@Nullable Limit own) {
        return null;
    }

    /** To be called after a key has left a permit, without a lock on it. */
    void useReduced(String key) {
        KeyTable[] all = tables;
        for (KeyTable table : all) {
            table.useReduced(key);
        }
        all[0].makeRoom();
    }

    @Override
    public void gaveBack(String key) {
        changed(key);
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public List<Limit> limits() {
        return limits;
    }

    @Override
    public Executor executor() {
        return store.executor();
    }

    @Override
    public TimeSource time() {
        return time;
    }

    @Override
    public Gate forKey(String key) {
        return new MemoryGate(this, Objects.requireNonNull(key, "key"), time);
    }

    /** The entry of a key, if it exists and the limiter has one limit. Then it can decide alone. Otherwise null. */
    @Nullable
    KeyEntry entry(String key) {
        KeyTable[] all = tables;
        Objects.requireNonNull(key, "key");
        return all.length == 1 ? all[0].entries.get(key) : null;
    }

    /** The answer of a limit that counts nothing, if the key is not paused. Null for other limits. */
    private @Nullable Decision constant(String key) {
        KeyTable[] all = tables;
        ActiveLimit active = all[0].activeLimit();
        if (all.length > 1 || active.stateful || all[0].entries.containsKey(key)) {
            return null;
        }
        return active.blocked ? Decision.BLOCKED : Decision.UNLIMITED;
    }

    @Override
    public boolean tryAcquire(String key, long permits) {
        KeyEntry entry = entry(key);
        if (entry != null && permits > 0) {
            int answer = entry.tryAcquire(permits, time);
            if (answer != KeyEntry.GONE) {
                return answer == KeyEntry.ALLOWED;
            }
        }
        requirePermits(permits);
        Decision constant = constant(key);
        if (constant != null) {
            return constant.allowed();
        }
        try (LockedKeys locked = lockedForUse(key, "tryAcquire", permits)) {
            return locked.takeWithoutDelay(permits);
        }
    }

    @Override
    public boolean tryAcquire(String key, long permits, Report report) {
        requirePermits(permits);
        // A bucket in one word has no delay.
        Decision decision = entry(key) instanceof AtomicBucket bucket ? bucket.check(permits, time) : null;
        if (decision == null) {
            try (LockedKeys locked = lockedForUse(key, "tryAcquire", permits)) {
                locked.takeWithoutDelay(permits);
                decision = locked.decision().withoutDelay();
            }
        }
        report.decided(permits, decision);
        return decision.allowed();
    }

    @Override
    public long acquireUpTo(String key, long permits) {
        KeyEntry entry = entry(key);
        if (entry != null && permits > 0) {
            long taken = entry.acquireUpTo(permits, time);
            if (taken != KeyEntry.GONE_TAKEN) {
                return taken;
            }
        }
        Decision constant = permits < 0 ? null : constant(key);
        if (constant != null) {
            return constant.allowed() ? permits : 0;
        }
        return acquireUpTo(key, permits, Report.NONE);
    }

    @Override
    public long acquireUpTo(String key, long permits, Report report) {
        requirePermits(permits);
        long asked;
        Decision decision;
        try (LockedKeys locked = lockedForUse(key, "acquireUpTo", permits)) {
            // Not even one permit is a denial of one.
            asked = Math.min(permits, Math.max(1, locked.free()));
            locked.takeWithoutDelay(asked);
            decision = locked.decision().withoutDelay();
        }
        report.decided(asked, decision);
        return decision.allowed() ? asked : 0;
    }

    @Override
    public Decision check(String key, long permits) {
        requirePermits(permits);
        KeyEntry entry = entry(key);
        Decision decision = entry == null ? constant(key) : entry.check(permits, time);
        if (decision != null) {
            return decision;
        }
        try (LockedKeys locked = lockedForUse(key, "check", permits)) {
            locked.settle(locked.judge(permits));
            return locked.decision();
        }
    }

    @Override
    public Decision peek(String key, long permits) {
        requirePermits(permits);
        try (LockedKeys locked = LockedKeys.ofExisting(tables, key, time)) {
            locked.judge(permits);
            return locked.decision();
        }
    }

    @Override
    public void acquire(String key, long permits) throws InterruptedException {
        waitingCalls.acquire(key, permits);
    }

    @Override
    public boolean tryAcquire(String key, long permits, Duration timeout) throws InterruptedException {
        return waitingCalls.tryAcquire(key, permits, timeout);
    }

    private CompletableFuture<MemoryReservation> startWaiting(String key, long permits, long timeoutMicros) {
        requirePermits(permits);
        Objects.requireNonNull(key, "key");
        for (KeyTable table : permits == 0 ? new KeyTable[0] : tables) {
            if (table.activeLimit().holds) {
                throw LockedKeys.heldNotUsed(name, "acquire", table.activeLimit().limit);
            }
        }
        return waiters.start(key, new PermitsAsk(this, key, permits), timeoutMicros);
    }

    /** A reservation that is not granted. */
    MemoryReservation refused(String key, long permits, long waitMicros) {
        return new MemoryReservation(this, key, permits, false, waitMicros, List.of());
    }

    @Override
    public MemoryReservation reserve(String key, long permits, Duration maxDelay) {
        requirePermits(permits);
        return reserve(key, permits, Exact.microsUp("maxDelay", maxDelay));
    }

    MemoryReservation reserve(String key, long permits, long maxDelayMicros) {
        try (LockedKeys locked = lockedForUse(key, "reserve", permits)) {
            long wait = locked.waitToUse(permits);
            boolean granted = wait == 0 || (wait <= maxDelayMicros && locked.canReserve(permits));
            List<Receipt> receipts = granted ? locked.takeByForce(permits) : List.of();
            return new MemoryReservation(this, key, permits, granted, wait, receipts);
        }
    }

    /** The microseconds until permits may be used, without other requests. */
    long waitFor(String key, long permits) {
        try (LockedKeys locked = LockedKeys.ofExisting(tables, key, time)) {
            return locked.waitToUse(permits);
        }
    }

    void giveBack(String key, long permits, List<Receipt> receipts) {
        receipts.forEach(receipt -> receipt.giveBack(key, permits, 0, time));
        changed(key);
    }

    /** Replaces permits that were taken by those that were really used. */
    void settle(String key, long permits, long actual, List<Receipt> receipts) {
        if (actual > permits) {
            try (LockedKeys locked = LockedKeys.of(tables, key, time)) {
                locked.takeByForce(actual - permits);
            }
        } else {
            receipts.forEach(receipt -> receipt.undo(key, permits, permits - actual, time));
            changed(key);
        }
    }

    @Override
    public void refund(String key, long permits) {
        requirePermits(permits);
        try (LockedKeys locked = LockedKeys.ofExisting(tables, key, time)) {
            locked.refund(permits);
        }
        changed(key);
    }

    @Override
    public void penalize(String key, long permits) {
        requirePermits(permits);
        try (LockedKeys locked = lockedForUse(key, "penalize", permits)) {
            locked.takeByForce(permits);
        }
    }

    /** Locks a key for a request that uses permits up. Refuses it if a limit holds them. */
    private LockedKeys lockedForUse(String key, String verb, long permits) {
        return LockedKeys.of(tables, key, time).requireRates(name, verb, permits);
    }

    @Override
    public void pause(String key, Duration duration) {
        Objects.requireNonNull(key, "key");
        long micros = Exact.microsUp("duration", duration);
        if (micros > 0) {
            DecisionTime moment = new DecisionTime(time);
            for (KeyTable table : tables) {
                table.pause(key, micros, moment);
            }
        }
    }

    /** For how many microseconds a key is still paused. */
    long pausedFor(String key) {
        try (LockedKeys locked = LockedKeys.ofExisting(tables, key, time)) {
            return locked.pausedFor();
        }
    }

    @Override
    public void reset(String key) {
        Objects.requireNonNull(key, "key");
        for (KeyTable table : tables) {
            LockedKey locked = table.lockExisting(key);
            if (locked.entry != null) {
                table.remove(locked);
            }
        }
        changed(key);
    }

    @Override
    public void update(Limit limit, Limit... more) {
        waiters.exclusively(() -> replaceLimits(MemoryStore.allOf(limit, more)));
        limitsChanged();
    }

    long revision() {
        return revision;
    }

    void revision(long revision) {
        this.revision = revision;
    }

    /** Prepares an update to one limit. Running the result puts it in force. {@link #limitsChanged} must follow. */
    Runnable prepareUpdate(Limit limit) {
        ActiveLimit newer = new ActiveLimit(limit, time);
        List<Limit> one = List.of(limit);
        return () -> waiters.exclusively(() -> {
            KeyTable[] now = tables;
            if (now.length == 1) {
                now[0].update(newer);
                limits = one;
            } else {
                replaceLimits(one);
            }
        });
    }

    /** To be called after an update: waiters may get permits now. */
    void limitsChanged() {
        waiters.allChanged();
    }

    /** A limit that takes over the state of another one gets its table. */
    @SuppressWarnings("NonAtomicVolatileUpdate") // by one thread at a time
    private void replaceLimits(List<Limit> newer) {
        List<KeyTable> left = new ArrayList<>(tablesInOrder);
        int[] predecessors = Predecessors.of(limits, newer);
        List<KeyTable> now = new ArrayList<>();
        for (int i = 0; i < predecessors.length; i++) {
            if (predecessors[i] == Predecessors.NONE) {
                now.add(new KeyTable(newer.get(i), registry, time));
            } else {
                KeyTable table = tablesInOrder.get(predecessors[i]);
                table.update(newer.get(i));
                left.remove(table);
                now.add(table);
            }
        }
        limits = newer;
        pastEvictions += left.stream().mapToLong(KeyTable::evictions).sum();
        tablesInOrder = List.copyOf(now);
        tables = lockedInOrder(now);
        left.forEach(KeyTable::retire);
    }

    /** Keys are always locked in the order of the numbers of their tables. */
    private static KeyTable[] lockedInOrder(List<KeyTable> tables) {
        return tables.stream()
                .sorted(Comparator.comparingInt(table -> table.id))
                .toArray(KeyTable[]::new);
    }

    @Override
    public CompletionStage<Boolean> tryAcquireAsync(String key, long permits) {
        return now(() -> tryAcquire(key, permits));
    }

    @Override
    public CompletionStage<Boolean> tryAcquireAsync(String key, long permits, Report report) {
        return now(() -> tryAcquire(key, permits, report));
    }

    @Override
    public CompletionStage<Long> acquireUpToAsync(String key, long permits) {
        return now(() -> acquireUpTo(key, permits));
    }

    @Override
    public CompletionStage<Long> acquireUpToAsync(String key, long permits, Report report) {
        return now(() -> acquireUpTo(key, permits, report));
    }

    @Override
    public CompletionStage<Decision> checkAsync(String key, long permits) {
        return now(() -> check(key, permits));
    }

    @Override
    public CompletionStage<Decision> peekAsync(String key, long permits) {
        return now(() -> peek(key, permits));
    }

    @Override
    public CompletionStage<Void> acquireAsync(String key, long permits) {
        return waitingCalls.acquireAsync(key, permits);
    }

    @Override
    public CompletionStage<Boolean> tryAcquireAsync(String key, long permits, Duration timeout) {
        return waitingCalls.tryAcquireAsync(key, permits, timeout);
    }

    @Override
    public CompletionStage<Reservation> reserveAsync(String key, long permits, Duration maxDelay) {
        return now(() -> reserve(key, permits, maxDelay));
    }

    @Override
    public CompletionStage<Void> refundAsync(String key, long permits) {
        return run(() -> refund(key, permits));
    }

    @Override
    public CompletionStage<Void> penalizeAsync(String key, long permits) {
        return run(() -> penalize(key, permits));
    }

    @Override
    public Permit enter(String key) throws InterruptedException {
        return enteringCalls.enter(key);
    }

    @Override
    public Optional<Permit> tryEnter(String key) {
        return entering.tryEnter(key);
    }

    @Override
    public Optional<Permit> tryEnter(String key, Report report) {
        return entering.tryEnter(key, report);
    }

    @Override
    public Optional<Permit> tryEnter(String key, Duration timeout) throws InterruptedException {
        return enteringCalls.tryEnter(key, timeout);
    }

    @Override
    public CompletionStage<Permit> enterAsync(String key) {
        return enteringCalls.enterAsync(key);
    }

    @Override
    public CompletionStage<Optional<Permit>> tryEnterAsync(String key) {
        return now(() -> tryEnter(key));
    }

    @Override
    public CompletionStage<Optional<Permit>> tryEnterAsync(String key, Report report) {
        return now(() -> tryEnter(key, report));
    }

    @Override
    public CompletionStage<Optional<Permit>> tryEnterAsync(String key, Duration timeout) {
        return enteringCalls.tryEnterAsync(key, timeout);
    }

    private CompletableFuture<Optional<Permit>> startEntering(String key, long timeoutMicros) {
        Objects.requireNonNull(key, "key");
        return waiters.start(key, entering.ask(key), timeoutMicros);
    }

    @Override
    public CompletionStage<Void> resetAsync(String key) {
        return run(() -> reset(key));
    }

    @Override
    public CompletionStage<Void> pauseAsync(String key, Duration duration) {
        return run(() -> pause(key, duration));
    }

    @Override
    public CompletionStage<Void> updateAsync(Limit limit, Limit... more) {
        return run(() -> update(limit, more));
    }

    @Override
    public void close() {
        waiters.close();
    }

    static void requirePermits(long permits) {
        if (permits < 0) {
            throw new IllegalArgumentException("permits: " + permits + " (expected: >= 0)");
        }
    }

    /** A completed stage, because nothing blocks in memory. An exception fails the stage. */
    private static <T> CompletionStage<T> now(Supplier<T> answer) {
        try {
            return CompletableFuture.completedFuture(answer.get());
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    @SuppressWarnings("NullAway") // a stage of nothing completes with null
    private static CompletionStage<Void> run(Runnable task) {
        return now(() -> {
            task.run();
            return null;
        });
    }
}
