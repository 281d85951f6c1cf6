package io.sluice.memory;

import io.sluice.CallLimiter;
import io.sluice.Decision;
import io.sluice.Limit;
import io.sluice.LimiterListener;
import io.sluice.TimeSource;
import io.sluice.memory.keys.KeyRegistry;
import io.sluice.memory.keys.KeyTable;
import io.sluice.memory.keys.LockedKey;
import io.sluice.memory.keys.LockedKeys;
import io.sluice.memory.state.ActiveLimit;
import io.sluice.memory.state.AtomicBucket;
import io.sluice.memory.state.DecisionTime;
import io.sluice.spi.ListenedCallLimiter;
import io.sluice.spi.RecentLimits;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/*
 * The limit of a key is part of its entry. A call that carries an equal limit uses the entry as it is, and a greedy token
 * bucket is one word. A call that carries another limit judges a copy of the state, converted as of now. The copy replaces
 * the entry only if something is taken. So the store keeps nothing of a limit but the entries that were charged under it.
 */
/** A call limiter of a {@link MemoryStore}. Thread-safe. */
final class MemoryCallLimiter implements CallLimiter, MemoryChargeable {
    final KeyTable table;

    private final MemoryStore store;
    private final String name;
    private final TimeSource time;
    private final KeyTable[] tables;
    private final RecentLimits<ActiveLimit> recent;
    private volatile boolean requested;

    MemoryCallLimiter(MemoryStore store, String name, KeyRegistry registry, TimeSource time) {
        this(store, name, new KeyTable(Limit.unlimited(), registry, time), time);
    }

    /** @param table its keys, which may come from a snapshot. The limit of the table itself is unlimited. */
    MemoryCallLimiter(MemoryStore store, String name, KeyTable table, TimeSource time) {
        this.store = store;
        this.name = name;
        this.time = time;
        this.table = table;
        this.tables = new KeyTable[] {table};
        this.recent = new RecentLimits<>(limit -> new ActiveLimit(limit, time));
    }

    /** Whether this process has requested it. Otherwise it comes from a snapshot and is not in use yet. */
    boolean isRequested() {
        return requested;
    }

    void markRequested() {
        requested = true;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public CallLimiter withListener(LimiterListener listener) {
        return new ListenedCallLimiter(this, listener);
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
        return BoundedKey.bounded(key);
    }

    @Override
    public ActiveLimit carriedLimit(@Nullable Limit own) {
        return recent.get(Objects.requireNonNull(own, "limit"));
    }

    /** Does nothing: a call limiter has no waiters. */
    @Override
    public void gaveBack(String key) {}

    @Override
    public Decision check(String key, long permits, Limit limit) {
        Objects.requireNonNull(key, "key");
        requirePermits(permits);
        String stored = storedKey(key);
        if (table.entries.get(stored) instanceof AtomicBucket bucket && bucket.active.isFor(limit)) {
            Decision decision = bucket.check(permits, time);
            if (decision != null) {
                return decision;
            }
        }
        ActiveLimit carried = carriedLimit(limit);
        LockedKey locked = permits == 0 ? table.lockExisting(stored, carried) : table.lock(stored, carried);
        try {
            if (carried.holds && permits > 0) {
                throw LockedKeys.heldNotUsed(name, "check", limit);
            }
            locked.readTime(new DecisionTime(time));
            locked.judge(permits);
            if (locked.allowed()) {
                locked.take();
            } else {
                locked.deny();
            }
            return locked.decision();
        } finally {
            locked.unlock();
            table.makeRoom();
        }
    }

    @Override
    public Decision peek(String key, long permits, Limit limit) {
        Objects.requireNonNull(key, "key");
        requirePermits(permits);
        LockedKey locked = table.lockExisting(storedKey(key), carriedLimit(limit));
        try {
            locked.readTime(new DecisionTime(time));
            locked.judge(locked.asked(permits));
            return locked.decision();
        } finally {
            locked.unlock();
        }
    }

    @Override
    public void refund(String key, long permits) {
        Objects.requireNonNull(key, "key");
        requirePermits(permits);
        LockedKey locked = table.lockExisting(storedKey(key));
        try {
            locked.readTime(new DecisionTime(time));
            if (locked.state != null) {
                locked.state.refund(permits, locked.t());
                table.useReduced(locked.key);
            }
        } finally {
            locked.unlock();
        }
    }

    @Override
    public void reset(String key) {
        Objects.requireNonNull(key, "key");
        LockedKey locked = table.lockExisting(storedKey(key));
        if (locked.entry != null) {
            table.remove(locked);
        }
    }

    @Override
    public CompletionStage<Decision> checkAsync(String key, long permits, Limit limit) {
        return now(() -> check(key, permits, limit));
    }

    @Override
    public CompletionStage<Decision> peekAsync(String key, long permits, Limit limit) {
        return now(() -> peek(key, permits, limit));
    }

    @Override
    public CompletionStage<Void> refundAsync(String key, long permits) {
        return run(() -> refund(key, permits));
    }

    @Override
    public CompletionStage<Void> resetAsync(String key) {
        return run(() -> reset(key));
    }

    private static void requirePermits(long permits) {
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
