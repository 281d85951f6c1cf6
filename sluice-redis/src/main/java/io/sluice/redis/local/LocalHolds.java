package io.sluice.redis.local;

import io.sluice.Concurrency;
import io.sluice.Decision;
import io.sluice.Limit;
import io.sluice.TimeSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.IntSupplier;

/*
 * While Redis is away, each of P processes may hold S = floor(N / P) permits, but at least 1. What it holds in Redis counts as
 * well. So process m, which holds h(m) in Redis, holds at most max(h(m), S) in the end. All h(m) together are at most N, so all
 * processes together hold at most N + (P - 1) * S: at least one of them has a part in N, or all are within their shares.
 *
 * When Redis is back, holds that it does not know are added, whatever is left, before Redis decides another request of this
 * process on that key. So a process to which Redis gives a permit has no other holds than those that Redis counts, and the
 * bound stays. Adding twice does no harm, because a hold has an id.
 */
/** The holds of this process on limiters with a local share, whether Redis knows them or not. Thread-safe. */
public final class LocalHolds {
    /** With more keys than this, those whose holds have all lapsed are dropped. */
    private static final int MANY_KEYS = 10_000;

    private static final long CLEAN_EVERY_MICROS = 1_000_000;

    /** When to ask again, if nothing better is known. */
    private static final long SOON_MICROS = 1_000_000;

    private final TimeSource time;
    private final IntSupplier processes;
    private final Map<LimiterKey, Map<Long, LocalHold>> keys = new ConcurrentHashMap<>();
    private volatile long cleaned;

    /** Guarded by the lock of its key in the map. */
    private static final class LocalHold {
        long lapse;

        /** Whether Redis does not know it. */
        boolean owed;

        /** Whether a call that adds it to Redis is on its way. */
        boolean sent;

        LocalHold(long lapse, boolean owed) {
            this.lapse = lapse;
            this.owed = owed;
        }
    }

    /** @param processes how many processes share the limits */
    public LocalHolds(TimeSource time, IntSupplier processes) {
        this.time = time;
        this.processes = processes;
    }

    /** Runs a step on the holds of a key that have not lapsed. No other thread sees the key meanwhile. */
    private <T> T on(LimiterKey key, Function<Map<Long, LocalHold>, T> step) {
        List<T> result = new ArrayList<>(1);
        keys.compute(key, (unused, known) -> {
            Map<Long, LocalHold> holds = known == null ? new HashMap<>() : known;
            long now = time.micros();
            holds.values().removeIf(hold -> hold.lapse <= now);
            result.add(step.apply(holds));
            return holds.isEmpty() ? null : holds;
        });
        return result.get(0);
    }

    /** Redis holds a permit for this process. */
    public void entered(LimiterKey key, long id, long lapse) {
        on(key, holds -> holds.put(id, new LocalHold(lapse, false)) == null);
        clean();
    }

    /**
     * Holds permits of the share, if they are free.
     *
     * @param ids none for a look
     * @param asked the number of permits
     * @param kept the permits of the whole limit that are kept for other requests
     */
    public Decision enter(LimiterKey key, List<Long> ids, int asked, long kept, List<Limit> limits) {
        int divisor = processes.getAsInt();
        long now = time.micros();
        Decision decision = on(key, holds -> {
            Decision verdict = decide(holds, asked, kept, limits, divisor, now);
            if (verdict.allowed()) {
                ids.forEach(id -> holds.put(id, new LocalHold(now + holdMicros(limits), true)));
                return ids.isEmpty() ? verdict : decide(holds, 0, kept, limits, divisor, now);
            }
            return verdict;
        });
        clean();
        return decision;
    }

    private static Decision decide(
            Map<Long, LocalHold> holds, int asked, long kept, List<Limit> limits, int divisor, long now) {
        long free = Long.MAX_VALUE;
        boolean never = false;
        for (Limit limit : limits) {
            if (limit instanceof Concurrency concurrency) {
                long share = Math.max(1, concurrency.permits() / divisor);
                free = Math.min(free, share - holds.size() + Math.floorDiv(-kept, (long) divisor));
                never |= asked + kept > concurrency.permits();
            }
        }
        long[] lapses = holds.values().stream()
                .mapToLong(hold -> hold.lapse - now)
                .sorted()
                .toArray();
        long reset = lapses.length == 0 ? 0 : lapses[lapses.length - 1];
        if (asked <= free) {
            return Decision.allowed(Math.max(0, free), 0, reset);
        }
        // A share may be too small for a request that Redis would allow. Then the answer is not "never".
        int missing = (int) Math.min(asked - free, lapses.length);
        long retry = never ? Decision.NEVER : missing == 0 ? SOON_MICROS : lapses[missing - 1];
        return Decision.denied(Math.max(0, free), retry, reset);
    }

    private static long holdMicros(List<Limit> limits) {
        return limits.stream()
                .filter(Concurrency.class::isInstance)
                .mapToLong(limit -> ((Concurrency) limit).hold().toMillis() * 1000)
                .min()
                .orElse(0);
    }

    /** A hold ended. Returns whether Redis need not be told, because it does not know the hold. */
    public boolean left(LimiterKey key, long id) {
        if (!keys.containsKey(key)) {
            return false;
        }
        return on(key, holds -> {
            LocalHold hold = holds.remove(id);
            return hold != null && hold.owed && !hold.sent;
        });
    }

    /** A hold lasts until another time. Returns whether this process has it. */
    public boolean renewed(LimiterKey key, long id, long lapse, boolean byRedis) {
        return keys.containsKey(key)
                && on(key, holds -> {
                    LocalHold hold = holds.get(id);
                    if (hold != null) {
                        hold.lapse = lapse;
                        hold.owed |= !byRedis;
                    }
                    return hold != null;
                });
    }

    /** Whether a hold is not known by Redis. */
    public boolean isOwed(LimiterKey key, long id) {
        return keys.containsKey(key)
                && on(key, holds -> {
                    LocalHold hold = holds.get(id);
                    return hold != null && hold.owed;
                });
    }

    /** The holds of a key that must be added to Redis now. Calls for them are on their way from now on. */
    public List<Long> owed(LimiterKey key) {
        if (!keys.containsKey(key)) {
            return List.of();
        }
        return on(key, holds -> {
            List<Long> ids = new ArrayList<>();
            holds.forEach((id, hold) -> {
                if (hold.owed && !hold.sent) {
                    hold.sent = true;
                    ids.add(id);
                }
            });
            return ids;
        });
    }

    /**
     * A call that adds a hold to Redis has ended.
     *
     * @param added whether Redis has answered
     * @return whether the hold has ended meanwhile
     */
    public boolean readmitted(LimiterKey key, long id, boolean added) {
        return on(key, holds -> {
            LocalHold hold = holds.get(id);
            if (hold != null) {
                hold.sent = false;
                hold.owed &= !added;
            }
            return hold == null;
        });
    }

    /** The keys with holds. */
    public List<LimiterKey> keys() {
        return List.copyOf(keys.keySet());
    }

    public boolean isEmpty() {
        return keys.isEmpty();
    }

    private void clean() {
        long now = time.micros();
        if (keys.size() > MANY_KEYS && now - cleaned > CLEAN_EVERY_MICROS) {
            cleaned = now;
            keys().forEach(key -> on(key, Map::isEmpty));
        }
    }
}
