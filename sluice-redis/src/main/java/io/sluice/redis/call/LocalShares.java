package io.sluice.redis.call;

import io.sluice.Charge;
import io.sluice.Decision;
import io.sluice.Decisions;
import io.sluice.redis.connect.Connection;
import io.sluice.redis.connect.Link;
import io.sluice.redis.local.LimiterKey;
import io.sluice.redis.local.LocalKey;
import io.sluice.redis.local.LocalKey.Owed;
import io.sluice.redis.local.LocalKey.Promise;
import io.sluice.redis.local.LocalKeys;
import io.sluice.redis.script.Verb;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/*
 * For a limiter with a local share, every key has an account (LocalKey): the permits on their way to Redis, the use that Redis
 * reported, the use by the share. When Redis answers again, it is charged with the use by the share: before the next call on
 * that key, and for the other keys in the background, some at a time. Until Redis has answered a call in time, this process
 * decides a key that owes permits: if Redis did not answer a charge, its outcome would be unknown.
 */
/** Enforces the local shares of limits while Redis is away, and charges Redis with that use afterwards. */
public final class LocalShares {
    /** The number of keys that are charged at a time in the background. */
    private static final int AT_ONCE = 256;

    private final LocalKeys keys;
    private final Connection connection;
    private final Health health;
    private final IntSupplier processes;

    /** With virtual time there is no heartbeat that would notice that Redis answers again. */
    private final boolean virtual;

    /** Keys with use that is not charged to Redis. */
    private final Set<CalledKey> owing = ConcurrentHashMap.newKeySet();

    /** Charges of which it is unknown whether Redis has executed them. */
    private final Set<LocalCharge> doubtful = ConcurrentHashMap.newKeySet();

    private final AtomicBoolean charging = new AtomicBoolean();

    public LocalShares(LocalKeys keys, Connection connection, Health health, IntSupplier processes, boolean virtual) {
        this.keys = keys;
        this.connection = connection;
        this.health = health;
        this.processes = processes;
        this.virtual = virtual;
    }

    LocalKeys keys() {
        return keys;
    }

    /** This process's part of a number of permits, rounded up. */
    long part(long permits) {
        return -Math.floorDiv(-permits, (long) processes.getAsInt());
    }

    // --- calls and charges to Redis ---

    /**
     * Prepares a call for sending. Sends the permits that its key owes first.
     *
     * @param permits the permits that Redis may charge
     * @return the account of the key; null if this process must decide the call
     */
    @Nullable
    LocalKey sent(LimiterContext limiter, String key, long permits, boolean decides, Lane lane) {
        if (!doubtful.isEmpty()) {
            Link open = connection.link();
            List.copyOf(doubtful).forEach(charge -> charge.giveUp(open));
        }
        LocalKey local = keys.hold(limiter.localKey(key));
        try {
            if (local.owes() || local.doubts > 0) {
                boolean answers = virtual || !health.isDegrading();
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

    /** Queues a charge of the permits that a key owes. The caller holds the key, so that no call comes in between. */
    private @Nullable LocalCharge charge(LimiterContext limiter, LocalKey local, Lane lane) {
        owing.remove(new CalledKey(limiter, local.key));
        Owed owed = local.owed();
        if (owed == null) {
            return null;
        }
        LocalCharge charge = new LocalCharge(limiter, local, owed, this, connection.link());
        lane.queue(charge);
        return charge;
    }

    /** Notes that a key owes permits, if it does. */
    void owes(LimiterContext limiter, LocalKey local) {
        if (local.owes()) {
            owing.add(new CalledKey(limiter, local.key));
        }
    }

    /** Notes whether the outcome of a charge is in doubt. */
    void doubt(LocalCharge charge, boolean doubtful) {
        if (doubtful) {
            this.doubtful.add(charge);
        } else {
            this.doubtful.remove(charge);
        }
    }

    /** Charges Redis with the use by shares, for some keys at a time. Called when Redis answers in time. */
    public void chargeSome(Lanes lanes) {
        if (owing.isEmpty() || !charging.compareAndSet(false, true)) {
            return;
        }
        List<LocalCharge> charges = new ArrayList<>();
        try {
            Iterator<CalledKey> places = owing.iterator();
            for (int i = 0; i < AT_ONCE && places.hasNext(); i++) {
                LocalCharge charge = charge(places.next(), lanes);
                if (charge != null) {
                    charges.add(charge);
                }
            }
        } finally {
            CompletableFuture.allOf(charges.toArray(CompletableFuture[]::new)).thenRun(() -> {
                charging.set(false);
                // If a charge has failed, the next answer of Redis starts another attempt.
                if (!charges.isEmpty() && charges.stream().allMatch(LocalCharge::join)) {
                    chargeSome(lanes);
                }
            });
        }
    }

    private @Nullable LocalCharge charge(CalledKey place, Lanes lanes) {
        Lane lane = lanes.of(place.limiter(), place.key());
        if (lane == null) {
            return null;
        }
        LocalCharge charge;
        LocalKey local = keys.hold(place.limiter().localKey(place.key()));
        try {
            charge = local.doubts > 0 ? null : charge(place.limiter(), local, lane);
        } finally {
            local.release();
        }
        lanes.pump(lane);
        return charge;
    }

    // --- decisions by local shares ---

    Decision check(LimiterContext limiter, String key, long permits, Verb verb) {
        LocalKey local = keys.hold(limiter.localKey(key));
        try {
            return check(limiter, local, permits, verb);
        } finally {
            local.release();
        }
    }

    /** Takes what is free of the share, at most so many permits. */
    UpToCall.Taken upTo(LimiterContext limiter, String key, long most) {
        LocalKey local = keys.hold(limiter.localKey(key));
        try {
            long asked = Math.min(most, Math.max(1, local.look(0, 0).remaining()));
            return new UpToCall.Taken(asked, check(limiter, local, asked, Verb.TRY));
        } finally {
            local.release();
        }
    }

    /** Decides a request. The caller holds the key. */
    private Decision check(LimiterContext limiter, LocalKey local, long permits, Verb verb) {
        Decision look = local.look(permits, 0);
        if (verb == Verb.PEEK || permits == 0) {
            return look;
        } else if (verb == Verb.TRY && look.delayMicros() > 0) {
            return look.withoutDelay();
        }
        Decision decision = local.take(permits);
        owes(limiter, local);
        return decision;
    }

    Promise promise(LimiterContext limiter, String key, long permits, long atMostMicros) {
        LocalKey local = keys.hold(limiter.localKey(key));
        try {
            Promise promise = local.promise(permits, atMostMicros);
            owes(limiter, local);
            return promise;
        } finally {
            local.release();
        }
    }

    /** Decides charges together. Takes permits only if all are allowed, apart from shadow charges. */
    List<Decision> decide(List<KeyCharge> keyCharges) {
        List<@Nullable LimiterKey> wanted = new ArrayList<>(keyCharges.size());
        for (KeyCharge keyCharge : keyCharges) {
            wanted.add(keyCharge.callLimit() == null ? keyCharge.limiter().localKey(keyCharge.key()) : null);
        }
        List<@Nullable LocalKey> locals = keys.hold(wanted);
        try {
            List<Charge> charges = new ArrayList<>();
            int[] ends = new int[keyCharges.size()];
            for (int i = 0; i < ends.length; i++) {
                KeyCharge keyCharge = keyCharges.get(i);
                LocalKey local = locals.get(i);
                if (local == null) {
                    charges.add(keyCharge
                            .limiter()
                            .fallback()
                            .charge(keyCharge, Objects.requireNonNull(keyCharge.callLimit())));
                } else {
                    charges.addAll(local.charges(
                            keyCharge.permits(), keyCharge.kept(), keyCharge.shadow(), keyCharge.taking()));
                }
                ends[i] = charges.size();
            }
            Decisions decisions = keys.decide(charges);
            List<Decision> answers = new ArrayList<>();
            for (int i = 0; i < ends.length; i++) {
                Decision answer = LocalKey.strictest(decisions.each().subList(i == 0 ? 0 : ends[i - 1], ends[i]));
                answers.add(answer);
                LocalKey local = locals.get(i);
                boolean taken = keyCharges.get(i).always() || (decisions.allowed() && answer.allowed());
                if (taken && local != null) {
                    local.used(keyCharges.get(i).permits());
                    owes(keyCharges.get(i).limiter(), local);
                }
            }
            return answers;
        } finally {
            LocalKeys.release(locals);
        }
    }

    /** Gives back permits that {@link #check} or {@link #upTo} took. */
    void refund(LimiterContext limiter, String key, long permits) {
        LocalKey local = keys.hold(limiter.localKey(key));
        try {
            local.refund(permits);
        } finally {
            local.release();
        }
    }

    /** The decision on a charge; takes no permits. */
    Decision look(KeyCharge keyCharge) {
        if (keyCharge.callLimit() != null) {
            return keyCharge.limiter().fallback().look(keyCharge, keyCharge.callLimit());
        }
        LocalKey local = keys.hold(keyCharge.limiter().localKey(keyCharge.key()));
        try {
            return local.look(keyCharge.permits(), keyCharge.kept());
        } finally {
            local.release();
        }
    }
}
