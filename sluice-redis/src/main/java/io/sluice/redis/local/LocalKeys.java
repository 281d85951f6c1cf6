package io.sluice.redis.local;

import io.sluice.CallLimiter;
import io.sluice.Charge;
import io.sluice.Decisions;
import io.sluice.Limit;
import io.sluice.TimeSource;
import io.sluice.memory.MemoryStore;
import io.sluice.redis.limits.AgreedLimits;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/** Keeps a {@link LocalKey} for each key that this process may have to decide by its local share. */
public final class LocalKeys {
    /** With more keys than this, the store forgets the oldest keys of which Redis knows everything. */
    private static final int MOST_KEYS = 100_000;

    private final MemoryStore memory = MemoryStore.create();
    private final Map<AgreedLimits, LimiterShares> shares = new ConcurrentHashMap<>();
    private final Map<LimiterKey, LocalKey> keys = new ConcurrentHashMap<>();
    private final AtomicLong numbers = new AtomicLong();
    private final IntSupplier processes;
    private final long deadlineMicros;
    private Iterator<Map.Entry<LimiterKey, LocalKey>> hand = keys.entrySet().iterator();

    /**
     * Makes an empty table.
     *
     * @param processes how many processes share the limits
     * @param deadlineMicros the maximum time that a call is on its way to Redis
     */
    public LocalKeys(IntSupplier processes, long deadlineMicros) {
        this.processes = processes;
        this.deadlineMicros = deadlineMicros;
    }

    private LocalKey get(LimiterKey key) {
        LocalKey local = keys.get(key);
        if (local == null) {
            local = keys.computeIfAbsent(key, this::create);
            forgetSome();
        }
        return local;
    }

    private LocalKey create(LimiterKey key) {
        return new LocalKey(
                key.key(), numbers.incrementAndGet(), shares(key.limiter()), TimeSource.system(), deadlineMicros);
    }

    private LimiterShares shares(AgreedLimits limiter) {
        return shares.computeIfAbsent(
                limiter, unused -> new LimiterShares(limiter.name(), memory, limiter::limits, processes));
    }

    /** Returns a key that this thread holds. The caller must release it. */
    public LocalKey hold(LimiterKey key) {
        while (true) {
            LocalKey local = get(key);
            local.hold();
            if (!local.forgotten) {
                return local;
            }
            local.release();
        }
    }

    /**
     * Returns several different keys that this thread holds. The caller must release them with {@link #release}.
     *
     * @param wanted may contain null; the result has null in the same place
     */
    public List<@Nullable LocalKey> hold(List<@Nullable LimiterKey> wanted) {
        while (true) {
            List<@Nullable LocalKey> locals = new ArrayList<>(wanted.size());
            List<LocalKey> inOrder = new ArrayList<>(wanted.size());
            for (LimiterKey key : wanted) {
                LocalKey local = key == null ? null : get(key);
                locals.add(local);
                if (local != null) {
                    inOrder.add(local);
                }
            }
            inOrder.sort(Comparator.comparingLong(local -> local.number));
            inOrder.forEach(local -> local.hold());
            if (inOrder.stream().noneMatch(local -> local.forgotten)) {
                return locals;
            }
            inOrder.forEach(local -> local.release());
        }
    }

    public static void release(List<@Nullable LocalKey> locals) {
        for (LocalKey local : locals) {
            if (local != null) {
                local.release();
            }
        }
    }

    /** Decides charges on local shares together; see {@link LocalKey#charges}. */
    public Decisions decide(List<Charge> charges) {
        return memory.decide(charges);
    }

    /** The call limiter in memory that enforces this process's {@link #share} of limits that come with calls. */
    public CallLimiter callLimiter(String name) {
        return memory.callLimiter(name);
    }

    /** This process's share of a limit. */
    public Limit share(Limit limit) {
        return LocalShare.of(limit, processes.getAsInt());
    }

    /** Drops some keys that have no use left. If there are none, drops a key of which Redis knows everything. */
    private void forgetSome() {
        if (keys.size() <= MOST_KEYS) {
            return;
        }
        synchronized (this) {
            for (int i = 0; i < 16 && keys.size() > MOST_KEYS; i++) {
                if (!hand.hasNext()) {
                    hand = keys.entrySet().iterator();
                }
                Map.Entry<LimiterKey, LocalKey> met = hand.next();
                LocalKey local = met.getValue();
                if (local.tryHold()) {
                    try {
                        if (local.isIdle() || (i == 15 && local.isQuiet())) {
                            local.forgotten = true;
                            keys.remove(met.getKey(), local);
                        }
                    } finally {
                        local.release();
                    }
                }
            }
        }
    }
}
