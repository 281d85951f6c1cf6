package io.sluice.redis;

import io.sluice.CallLimiter;
import io.sluice.Charge;
import io.sluice.Decision;
import io.sluice.Decisions;
import io.sluice.Limit;
import io.sluice.TimeSource;
import io.sluice.memory.MemoryStore;
import io.sluice.redis.Call.Verb;
import io.sluice.redis.JointCall.Ask;
import io.sluice.redis.LocalKey.Owed;
import io.sluice.redis.LocalKey.Promise;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/*
 * Every call of a limiter that goes on by its share is noted on its key: what is on its way, what Redis says, what was
 * used here. When Redis answers again, what was used here is charged to it: ahead of the next call for that key, and for
 * the other keys in the background, some at a time. Until anything was answered in time, a key that owes is decided here:
 * a charge that is sent into silence would be neither done nor undone.
 */
/** What this process enforces by itself while Redis is away. */
final class LocalShares {
    /** Of more keys than this, the oldest that Redis knows all about are forgotten. */
    private static final int MOST_KEYS = 100_000;

    /** How many keys are charged at once in the background. */
    private static final int AT_ONCE = 256;

    private final RedisStore store;
    private final MemoryStore memory = MemoryStore.create();
    private final Map<RedisLimiter, Shares> shares = new ConcurrentHashMap<>();
    private final Map<Place, LocalKey> keys = new ConcurrentHashMap<>();
    private final AtomicLong numbers = new AtomicLong();

    /** Keys with use that Redis has not heard of. */
    private final Set<Place> owing = ConcurrentHashMap.newKeySet();

    /** Charges that may have been done or not. */
    private final Set<LocalCharge> doubtful = ConcurrentHashMap.newKeySet();

    private final AtomicBoolean charging = new AtomicBoolean();
    private Iterator<Map.Entry<Place, LocalKey>> hand = keys.entrySet().iterator();

    private record Place(RedisLimiter limiter, String key) {}

    LocalShares(RedisStore store) {
        this.store = store;
    }

    private LocalKey known(Place place) {
        LocalKey local = keys.get(place);
        if (local == null) {
            local = keys.computeIfAbsent(place, this::made);
            forgetSome();
        }
        return local;
    }

    /** What decides by limits that come with calls, of which this process has its {@link #share}. */
    CallLimiter calls(String name) {
        return memory.callLimiter(name);
    }

    Limit share(Limit limit) {
        return LocalShare.of(limit, store.processes());
    }

    private LocalKey made(Place place) {
        return new LocalKey(
                place.key(),
                numbers.incrementAndGet(),
                shares(place.limiter()),
                TimeSource.system(),
                (store.deadlineNanos + Stalls.GRACE_NANOS) / 1000);
    }

    /** The key, locked. */
    private LocalKey locked(RedisLimiter limiter, String key) {
        Place place = new Place(limiter, key);
        while (true) {
            LocalKey local = known(place);
            local.hold();
            if (!local.forgotten) {
                return local;
            }
            local.release();
        }
    }

    private Shares shares(RedisLimiter limiter) {
        return shares.computeIfAbsent(
                limiter, unused -> new Shares(limiter.name(), memory, limiter::limits, store::processes));
    }

    /** Drops some keys of which nothing is left, or if that is not enough, of which Redis knows all. */
    private void forgetSome() {
        if (keys.size() <= MOST_KEYS) {
            return;
        }
        synchronized (this) {
            for (int i = 0; i < 16 && keys.size() > MOST_KEYS; i++) {
                if (!hand.hasNext()) {
                    hand = keys.entrySet().iterator();
                }
                Map.Entry<Place, LocalKey> met = hand.next();
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

    // --- what goes to Redis ---

    /**
     * A call is about to be sent; what its key owes goes ahead.
     *
     * @param permits what it may be charged
     * @return the key, which is told how it ends; null if it is to be decided here
     */
    @Nullable
    LocalKey sent(RedisLimiter limiter, String key, long permits, boolean decides, Lane lane) {
        if (!doubtful.isEmpty()) {
            List.copyOf(doubtful).forEach(LocalCharge::giveUp);
        }
        LocalKey local = locked(limiter, key);
        try {
            if (local.owes() || local.doubts > 0) {
                // Where time is virtual, there is no pulse that would find out.
                boolean answers = store.virtualTime != null || !store.health.isDegrading();
                boolean mayCharge = local.doubts == 0 && answers;
                if (decides && !mayCharge) {
                    return null;
                } else if (mayCharge) {
                    charge(limiter, local, lane);
                }
            }
            local.sent(permits);
            return local;
        } finally {
            local.release();
        }
    }

    /** Puts what a key owes on its way. With the key's lock held, so that nothing comes in between. */
    private @Nullable LocalCharge charge(RedisLimiter limiter, LocalKey local, Lane lane) {
        owing.remove(new Place(limiter, local.key));
        Owed owed = local.owed();
        if (owed == null) {
            return null;
        }
        LocalCharge charge = new LocalCharge(limiter, local, owed, store.link());
        lane.queue(charge);
        return charge;
    }

    /** A key owes something (again). */
    void owes(RedisLimiter limiter, LocalKey local) {
        if (local.owes()) {
            owing.add(new Place(limiter, local.key));
        }
    }

    /** Whether it was charged is not known, or is known after all. */
    void doubt(LocalCharge charge, boolean doubtful) {
        if (doubtful) {
            this.doubtful.add(charge);
        } else {
            this.doubtful.remove(charge);
        }
    }

    /** Redis answers in time: charges what was used here, some keys at a time. */
    void chargeSome() {
        if (owing.isEmpty() || !charging.compareAndSet(false, true)) {
            return;
        }
        List<LocalCharge> charges = new ArrayList<>();
        try {
            Iterator<Place> places = owing.iterator();
            for (int i = 0; i < AT_ONCE && places.hasNext(); i++) {
                LocalCharge charge = charge(places.next());
                if (charge != null) {
                    charges.add(charge);
                }
            }
        } finally {
            CompletableFuture.allOf(charges.toArray(CompletableFuture[]::new)).thenRun(() -> {
                charging.set(false);
                // If it was in vain, the next answer of Redis tries again.
                if (!charges.isEmpty() && charges.stream().allMatch(LocalCharge::join)) {
                    chargeSome();
                }
            });
        }
    }

    private @Nullable LocalCharge charge(Place place) {
        Lane lane = store.lanes.of(place.limiter(), place.key());
        if (lane == null) {
            return null;
        }
        LocalCharge charge;
        LocalKey local = locked(place.limiter(), place.key());
        try {
            charge = local.doubts > 0 ? null : charge(place.limiter(), local, lane);
        } finally {
            local.release();
        }
        store.lanes.pump(lane);
        return charge;
    }

    /** Redis has forgotten a key, as it was told to. */
    void reset(RedisLimiter limiter, String key) {
        LocalKey local = keys.get(new Place(limiter, key));
        if (local != null) {
            local.reset();
        }
    }

    // --- what is decided here ---

    Decision check(RedisLimiter limiter, String key, long permits, Verb verb) {
        LocalKey local = locked(limiter, key);
        try {
            Decision look = local.look(permits, 0);
            if (verb == Verb.PEEK || permits == 0) {
                return look;
            } else if (verb == Verb.TRY && look.allowed() && look.delayMicros() > 0) {
                return Decision.denied(look.remaining(), look.delayMicros(), look.resetAfterMicros());
            }
            Decision decision = local.take(permits);
            owes(limiter, local);
            return decision;
        } finally {
            local.release();
        }
    }

    Promise promise(RedisLimiter limiter, String key, long permits, long atMostMicros) {
        LocalKey local = locked(limiter, key);
        try {
            Promise promise = local.promise(permits, atMostMicros);
            owes(limiter, local);
            return promise;
        } finally {
            local.release();
        }
    }

    /** What charges that are decided together are answered; taken only if all that count are allowed. */
    List<Decision> decide(List<Ask> asks) {
        List<@Nullable LocalKey> locals = locked(asks);
        try {
            List<Charge> charges = new ArrayList<>();
            int[] ends = new int[asks.size()];
            for (int i = 0; i < ends.length; i++) {
                Ask ask = asks.get(i);
                LocalKey local = locals.get(i);
                if (local == null) {
                    charges.add(ask.limiter().fallback().charge(ask, Objects.requireNonNull(ask.own())));
                } else {
                    charges.addAll(local.charges(ask.permits(), ask.kept(), ask.shadow()));
                }
                ends[i] = charges.size();
            }
            Decisions decisions = memory.decide(charges);
            List<Decision> answers = new ArrayList<>();
            for (int i = 0; i < ends.length; i++) {
                Decision answer = LocalKey.strictest(decisions.each().subList(i == 0 ? 0 : ends[i - 1], ends[i]));
                answers.add(answer);
                LocalKey local = locals.get(i);
                if (decisions.allowed() && answer.allowed() && local != null) {
                    local.used(asks.get(i).permits());
                    owes(asks.get(i).limiter(), local);
                }
            }
            return answers;
        } finally {
            release(locals);
        }
    }

    private static void release(List<@Nullable LocalKey> locals) {
        for (LocalKey local : locals) {
            if (local != null) {
                local.release();
            }
        }
    }

    /** Gives back what {@link #check} took here and nobody wants. */
    void refund(RedisLimiter limiter, String key, long permits) {
        LocalKey local = locked(limiter, key);
        try {
            local.refund(permits);
        } finally {
            local.release();
        }
    }

    /** What such a charge would be answered; takes nothing. */
    Decision look(Ask ask) {
        if (ask.own() != null) {
            return ask.limiter().fallback().look(ask, ask.own());
        }
        LocalKey local = locked(ask.limiter(), ask.key());
        try {
            return local.look(ask.permits(), ask.kept());
        } finally {
            local.release();
        }
    }

    /** The keys of asks, each locked; null for those that bring their own limit. No two are the same. */
    private List<@Nullable LocalKey> locked(List<Ask> asks) {
        while (true) {
            List<@Nullable LocalKey> locals = new ArrayList<>(asks.size());
            List<LocalKey> inOrder = new ArrayList<>(asks.size());
            for (Ask ask : asks) {
                LocalKey local = ask.own() == null ? known(new Place(ask.limiter(), ask.key())) : null;
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
}
