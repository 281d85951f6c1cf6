package io.sluice.memory;

import io.sluice.Decision;
import io.sluice.Permit;
import io.sluice.TimeSource;
import io.sluice.memory.keys.LockedKeys;
import io.sluice.memory.keys.Receipt;
import io.sluice.memory.state.ConcurrencyState;
import io.sluice.memory.state.KeyEntry;
import io.sluice.spi.HoldKeeper;
import io.sluice.spi.ReportingLimiter.Report;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The permits of one limiter that are held: enters, renews and leaves. Thread-safe. */
final class Entering {
    /** A permit is renewed after this part of its hold. */
    static final long RENEWALS = 3;

    private final MemoryLimiter limiter;
    private final HoldKeeper keeper;
    private final TimeSource time;
    private final HoldIds ids = new HoldIds();

    /** The pace of the latest permit. Mostly the pace of the next one. */
    private volatile HoldKeeper.@Nullable Pace pace;

    Entering(MemoryLimiter limiter, HoldKeeper keeper, TimeSource time) {
        this.limiter = limiter;
        this.keeper = keeper;
        this.time = time;
    }

    /** Holds a permit if one is free without a delay. */
    Optional<Permit> tryEnter(String key) {
        if (limiter.entry(key) instanceof ConcurrencyState state) {
            long id = ids.own();
            Decision decision = state.tryEnter(id, time);
            if (decision != null) {
                return decision.allowed()
                        ? Optional.of(permit(key, decision, id, state.active.holdMicros))
                        : Optional.empty();
            }
        }
        return tryEnter(key, Report.NONE);
    }

    Optional<Permit> tryEnter(String key, Report report) {
        Objects.requireNonNull(key, "key");
        long id = ids.own();
        boolean entered;
        Decision decision;
        long holdMicros;
        try (LockedKeys locked = LockedKeys.of(limiter.tables(), key, time)) {
            entered = locked.enterWithoutDelay(id);
            decision = locked.decision().withoutDelay();
            holdMicros = locked.shortestHold();
        }
        report.decided(1, decision);
        return entered ? Optional.of(permit(key, decision, holdMicros == 0 ? 0 : id, holdMicros)) : Optional.empty();
    }

    /** Takes one permit of every limit, if it may be used within a time. Only rates can be used later. */
    MemoryEntry attempt(String key, long maxDelayMicros) {
        try (LockedKeys locked = LockedKeys.of(limiter.tables(), key, time)) {
            long wait = locked.waitToUse(1);
            if (wait > 0 && (wait > maxDelayMicros || !locked.canReserve(1))) {
                return refused(key, wait, locked.leastWait(1));
            }
            long holdMicros = locked.shortestHold();
            long id = holdMicros == 0 ? 0 : ids.own();
            List<Receipt> receipts = locked.takeByForce(1);
            locked.hold(id);
            return new MemoryEntry(this, key, wait, wait, receipts, id, holdMicros, locked.decisionAfterTaking());
        }
    }

    MemoryEntry refused(String key, long waitMicros, long leastMicros) {
        return new MemoryEntry(this, key, waitMicros, leastMicros, null, 0, 0, Decision.BLOCKED);
    }

    /** @param id the id of the hold; 0 if nothing is held */
    MemoryPermit permit(String key, Decision decision, long id, long holdMicros) {
        MemoryPermit permit = new MemoryPermit(this, key, decision, id);
        return id == 0 ? permit : permit.keep(pace(holdMicros / RENEWALS));
    }

    private HoldKeeper.Pace pace(long micros) {
        HoldKeeper.Pace known = pace;
        if (known == null || known.micros() != Math.max(1, micros)) {
            known = keeper.every(micros);
            pace = known;
        }
        return known;
    }

    private List<JointHolds.Hold> hold(String key, long id) {
        return List.of(new JointHolds.Hold(limiter.latest(), key, id));
    }

    boolean isHeld(String key, long id) {
        return JointHolds.areHeld(hold(key, id), time);
    }

    /** Renews a hold. Returns after how many microseconds it must be renewed again; 0 if it has ended. */
    long renew(String key, long id) {
        long held = JointHolds.renew(hold(key, id), time);
        return held == 0 ? 0 : Math.max(1, held / RENEWALS);
    }

    void leave(String key, long id, boolean dropped) {
        MemoryLimiter latest = limiter.latest();
        if (latest.entry(key) instanceof ConcurrencyState state) {
            int answer = state.leave(id, dropped, time);
            if (answer != KeyEntry.GONE) {
                latest.useReduced(key);
                latest.gaveBack(key);
                return;
            }
        }
        JointHolds.leave(hold(key, id), dropped, time);
    }

    /** Gives back permits that were taken from rates. */
    void giveBack(String key, List<Receipt> receipts) {
        limiter.giveBack(key, 1, receipts);
    }

    /** What a waiter for a permit asks for. */
    Ask<Optional<Permit>> ask(String key) {
        return new Ask<>() {
            @Override
            public Answer<Optional<Permit>> attempt(long maxDelayMicros) {
                return Entering.this.attempt(key, maxDelayMicros);
            }

            @Override
            public long leastMicros() {
                try (LockedKeys locked = LockedKeys.ofExisting(limiter.tables(), key, time)) {
                    return locked.leastWait(1);
                }
            }

            @Override
            public Answer<Optional<Permit>> refused(long leastMicros) {
                return Entering.this.refused(key, leastMicros, leastMicros);
            }
        };
    }
}
