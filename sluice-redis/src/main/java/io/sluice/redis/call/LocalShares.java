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
 * Every call of a limiter that goes on by its share is noted on its key: what is on its way, what Redis says, what was
 * used here. When Redis answers again, what was used here is charged to it: ahead of the next call for that key, and for
 * the other keys in the background, some at a time. Until anything was answered in time, a key that owes is decided here:
 * a charge that is sent into silence would be neither done nor undone.
 */
/** What this process enforces by itself while Redis is away. */
public final class LocalShares {
    /** How many keys are charged at once in the background. */
    private static final int AT_ONCE = 256;

    private final LocalKeys keys;
    private final Connection connection;
    private final Health health;
    private final IntSupplier processes;

    /** With virtual time there is no heartbeat that would notice that Redis answers again. */
    private final boolean virtual;

    /** Keys with use that Redis has not heard of. */
    private final Set<CalledKey> owing = ConcurrentHashMap.newKeySet();

    /** Charges that may have been done or not. */
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

    // --- what goes to Redis ---

    /**
     * A call is about to be sent; what its key owes goes ahead.
     *
     * @param permits what it may be charged
     * @return the key, which is told how it ends; null if it is to be decided here
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

    /** Puts what a key owes on its way. With the key's lock held, so that nothing comes in between. */
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

    /** A key owes something (again). */
    void owes(LimiterContext limiter, LocalKey local) {
        if (local.owes()) {
            owing.add(new CalledKey(limiter, local.key));
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
                // If it was in vain, the next answer of Redis tries again.
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

    // --- what is decided here ---

    Decision check(LimiterContext limiter, String key, long permits, Verb verb) {
        LocalKey local = keys.hold(limiter.localKey(key));
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

    /** What charges that are decided together are answered; taken only if all that count are allowed. */
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
                    charges.addAll(local.charges(keyCharge.permits(), keyCharge.kept(), keyCharge.shadow()));
                }
                ends[i] = charges.size();
            }
            Decisions decisions = keys.decide(charges);
            List<Decision> answers = new ArrayList<>();
            for (int i = 0; i < ends.length; i++) {
                Decision answer = LocalKey.strictest(decisions.each().subList(i == 0 ? 0 : ends[i - 1], ends[i]));
                answers.add(answer);
                LocalKey local = locals.get(i);
                if (decisions.allowed() && answer.allowed() && local != null) {
                    local.used(keyCharges.get(i).permits());
                    owes(keyCharges.get(i).limiter(), local);
                }
            }
            return answers;
        } finally {
            LocalKeys.release(locals);
        }
    }

    /** Gives back what {@link #check} took here and nobody wants. */
    void refund(LimiterContext limiter, String key, long permits) {
        LocalKey local = keys.hold(limiter.localKey(key));
        try {
            local.refund(permits);
        } finally {
            local.release();
        }
    }

    /** What such a charge would be answered; takes nothing. */
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
