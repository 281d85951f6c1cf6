package io.sluice.memory;

import io.sluice.Charge;
import io.sluice.Decision;
import io.sluice.Decisions;
import io.sluice.Limit;
import io.sluice.TimeSource;
import io.sluice.exact.Exact;
import io.sluice.memory.keys.KeyTable;
import io.sluice.memory.keys.LockedKey;
import io.sluice.memory.keys.LockedKeys;
import io.sluice.memory.keys.Receipt;
import io.sluice.memory.state.ActiveLimit;
import io.sluice.memory.state.DecisionTime;
import io.sluice.spi.LimitChangedException;
import io.sluice.spi.PolicyCharge;
import io.sluice.spi.Taking;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/*
 * Several keys of several limiters, decided at one moment. First every key is locked, always in the same order, so that
 * two decisions cannot wait for each other. Then all are judged. Then all permits are taken, or none.
 */
/** Decides several charges together: all of them are taken, or none. */
final class JointDecision {
    /** What happens to limits of concurrency that are charged with permits. */
    enum Holding {
        /** The decision is refused. */
        REFUSED,
        /** Each such charge holds one permit. */
        ENTER,
        /** Nothing. */
        IGNORED
    }

    /** The request to one key of one limit. Each key is locked once. */
    private static final class Part implements Comparable<Part> {
        final KeyTable table;
        final MemoryChargeable limiter;
        final String key;
        final @Nullable Limit expected;

        /** The limit that the charge carries. */
        final @Nullable Limit own;

        long permits;
        long kept;
        boolean shadow;
        Taking taking;

        /** How many charges ask for permits. Each holds one, under a limit of concurrency. */
        int entering;

        /** Whether permits are held now. */
        boolean holds;

        /** The ids of the holds that were made. */
        private long @Nullable [] ids;

        private @Nullable LockedKey locked;

        Part(KeyTable table, MemoryChargeable limiter, Charge charge) {
            this.table = table;
            this.limiter = limiter;
            key = limiter.storedKey(charge.key());
            permits = charge.permits();
            entering = permits > 0 ? 1 : 0;
            kept = PolicyCharge.kept(charge);
            shadow = PolicyCharge.isShadow(charge);
            taking = PolicyCharge.taking(charge);
            expected = PolicyCharge.expected(charge);
            own = charge.limit();
        }

        void add(Part other) {
            if (own != null && !own.equals(other.own)) {
                throw new IllegalArgumentException("charges on \"" + limiter.name() + "\", key \"" + key + "\": carry "
                        + own + " and " + other.own + " (expected: one limit for each key of a decision)");
            }
            permits = Exact.sum(permits, other.permits);
            entering += other.entering;
            kept = Math.max(kept, other.kept);
            shadow &= other.shadow;
            taking = taking == other.taking ? taking : Taking.IF_ADMITTED;
        }

        LockedKey lock() {
            ActiveLimit carried = limiter.carriedLimit(own);
            LockedKey locked = carried == null ? table.lock(key) : table.lock(key, carried);
            this.locked = locked;
            return locked;
        }

        LockedKey locked() {
            if (locked == null) {
                throw new IllegalStateException("not locked: " + key);
            }
            return locked;
        }

        /** Refuses a limit of concurrency that is charged with permits, unless its permits may be held. */
        void require(Holding holding) {
            if (!locked().active.holds) {
                return;
            }
            boolean onlyHeld = holding == Holding.ENTER && taking != Taking.ALWAYS && taking != Taking.FIRST;
            if (permits > 0 && holding != Holding.IGNORED && !onlyHeld) {
                throw LockedKeys.heldNotUsed(limiter.name(), "a charge", locked().active.limit);
            }
            permits = onlyHeld ? entering : 0;
        }

        void judge(@Nullable List<MemoryTentativeDecision.Part> taken) {
            if (taking == Taking.FIRST) {
                takeByForce(taken);
                locked().judge(0, kept);
            } else {
                locked().judge(permits, kept);
            }
        }

        /** Takes the permits if the whole request is allowed. Starts the lockout if this limit denied. */
        void settle(boolean all, @Nullable List<MemoryTentativeDecision.Part> taken) {
            LockedKey locked = locked();
            if (!locked.allowed()) {
                locked.deny();
            }
            if (locked.active.holds) {
                holds = all && permits > 0 && (locked.allowed() || taking == Taking.WITH_REQUEST);
            } else if (taking == Taking.ALWAYS || (taking == Taking.WITH_REQUEST && all)) {
                takeByForce(taken);
            } else if (taking == Taking.IF_ADMITTED && locked.allowed() && all) {
                locked.take();
                note(permits, locked.active.lockoutMicros > 0 ? permits : 0, taken);
            }
        }

        /** Holds permits, under the ids of the same limiter and key under another limit, if there are any. */
        long[] hold(long @Nullable [] known) {
            long[] made = known == null ? new long[(int) permits] : known;
            for (int i = 0; i < made.length; i++) {
                made[i] = known == null ? HoldIds.secret() : made[i];
                locked().hold(made[i]);
            }
            ids = made;
            return made;
        }

        private void takeByForce(@Nullable List<MemoryTentativeDecision.Part> taken) {
            note(locked().takeByForce(permits), 0, taken);
        }

        /** Notes permits that were just taken, so that they can be given back. */
        private void note(long permits, long tentative, @Nullable List<MemoryTentativeDecision.Part> taken) {
            Receipt receipt = taken == null ? null : Receipt.of(locked(), permits);
            if (taken != null && receipt != null) {
                locked().requireState().addTentative(tentative);
                taken.add(new MemoryTentativeDecision.Part(
                        limiter, key, permits, tentative, receipt, taking == Taking.ALWAYS || taking == Taking.FIRST));
            }
        }

        @Override
        public int compareTo(Part other) {
            int bySpace = Integer.compare(table.id, other.table.id);
            return bySpace != 0 ? bySpace : key.compareTo(other.key);
        }
    }

    private final TimeSource time;

    /** One part for each limit of each charge, in the order of the charges. Charges on the same key share a part. */
    private final Part[] parts;

    /** How many limits each charge has. Null if each has exactly one. */
    private final int @Nullable [] counts;

    private final List<Charge> charges;

    /** The distinct parts, in the order in which they are locked. */
    private final Part[] distinctParts;

    private final MemoryStore store;

    /** The value of {@link MemoryStore#enforcements} at the beginning. */
    private final long enforcements;

    private final Holding holding;

    JointDecision(MemoryStore store, List<Charge> charges, Holding holding, TimeSource time, long enforcements) {
        this.store = store;
        this.holding = holding;
        this.enforcements = enforcements;
        this.time = time;
        this.charges = charges;
        Part[] parts = new Part[charges.size()];
        int[] counts = null;
        int n = 0;
        for (int i = 0; i < charges.size(); i++) {
            Charge charge = charges.get(i);
            MemoryChargeable limiter = store.limiterOf(charge);
            KeyTable[] tables = limiter.tables();
            if (tables.length != 1 && counts == null) {
                counts = new int[charges.size()];
                Arrays.fill(counts, 1);
            }
            if (counts != null) {
                counts[i] = tables.length;
            }
            for (KeyTable table : tables) {
                parts = n < parts.length ? parts : Arrays.copyOf(parts, 2 * n);
                parts[n++] = new Part(table, limiter, charge);
            }
        }
        this.parts = parts;
        this.counts = counts;
        this.distinctParts = sorted(n);
    }

    /** The parts in order. Parts of the same key are merged. */
    private Part[] sorted(int n) {
        Part[] sorted = Arrays.copyOf(parts, n);
        if (n > 1) {
            sort(sorted);
        }
        int kept = Math.min(n, 1);
        for (int i = 1; i < n; i++) {
            Part last = sorted[kept - 1];
            if (sorted[i].compareTo(last) == 0) {
                last.add(sorted[i]);
                replace(sorted[i], last, n);
            } else {
                sorted[kept++] = sorted[i];
            }
        }
        return kept == n ? sorted : Arrays.copyOf(sorted, kept);
    }

    /** Sorts. Insertion sort, because there are few parts, mostly in order already. */
    private static void sort(Part[] parts) {
        if (parts.length > 32) {
            Arrays.sort(parts);
            return;
        }
        for (int i = 1; i < parts.length; i++) {
            Part part = parts[i];
            int at = i;
            for (; at > 0 && parts[at - 1].compareTo(part) > 0; at--) {
                parts[at] = parts[at - 1];
            }
            parts[at] = part;
        }
    }

    private void replace(Part gone, Part by, int n) {
        for (int i = 0; i < n; i++) {
            if (parts[i] == gone) {
                parts[i] = by;
            }
        }
    }

    /**
     * Decides. Does nothing and returns null if {@link MemoryStore#enforce} changed limits meanwhile: then some keys may be
     * locked under the new limits and some under the old ones.
     *
     * @param cancellable whether the decision can be cancelled
     */
    @Nullable
    MemoryTentativeDecision decide(boolean cancellable) {
        int lockedParts = 0;
        try {
            for (Part part : distinctParts) {
                LockedKey locked = part.lock();
                lockedParts++;
                if (part.expected != null && !part.expected.equals(locked.active.limit)) {
                    if (limitsHaveChanged()) {
                        return null;
                    }
                    throw new LimitChangedException(part.limiter.name(), part.expected);
                }
            }
            if (limitsHaveChanged()) {
                return null;
            }
            DecisionTime moment = new DecisionTime(time);
            boolean allowed = true;
            List<MemoryTentativeDecision.Part> taken = cancellable ? new ArrayList<>() : null;
            for (Part part : distinctParts) {
                part.locked().readTime(moment);
                part.require(holding);
            }
            for (Part part : distinctParts) {
                part.judge(taken);
                allowed &= part.locked().allowed() || part.shadow;
            }
            for (Part part : distinctParts) {
                part.settle(allowed, taken);
            }
            List<MemoryTentativeDecision.Held> held = holding == Holding.ENTER ? hold() : List.of();
            return new MemoryTentativeDecision(
                    store, charges, new Decisions(allowed, decisions()), taken == null ? List.of() : taken, held, time);
        } finally {
            for (int i = 0; i < lockedParts; i++) {
                distinctParts[i].locked().unlock();
            }
            if (lockedParts > 0) {
                distinctParts[0].table.makeRoom();
            }
        }
    }

    /** Holds the permits of all limits of concurrency that allow it. */
    private List<MemoryTentativeDecision.Held> hold() {
        List<MemoryTentativeDecision.Held> held = new ArrayList<>();
        for (Part part : distinctParts) {
            if (part.holds) {
                long[] known = knownIds(part);
                for (long id : part.hold(known)) {
                    held.add(new MemoryTentativeDecision.Held(
                            part.limiter, part.key, id, known == null, part.locked().active.holdMicros));
                }
            }
        }
        return held;
    }

    /** The ids that the same limiter and key have under another limit: a permit has one id under all limits of its limiter. */
    private long @Nullable [] knownIds(Part part) {
        for (Part other : distinctParts) {
            if (other.ids != null && other.limiter == part.limiter && other.key.equals(part.key)) {
                return other.ids;
            }
        }
        return null;
    }

    private boolean limitsHaveChanged() {
        return store.enforcements() != enforcements;
    }

    private List<Decision> decisions() {
        Decision[] each = new Decision[charges.size()];
        int at = 0;
        for (int i = 0; i < charges.size(); i++) {
            Decision decision = null;
            for (int n = counts == null ? 1 : counts[i]; n > 0; n--) {
                Decision next = parts[at++].locked().decision();
                decision = decision == null ? next : decision.and(next);
            }
            each[i] = decision == null ? Decision.UNLIMITED : decision;
        }
        return List.of(each);
    }
}
