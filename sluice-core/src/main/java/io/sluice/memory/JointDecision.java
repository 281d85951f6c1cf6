package io.sluice.memory;

import io.sluice.Charge;
import io.sluice.Decision;
import io.sluice.Decisions;
import io.sluice.Limit;
import io.sluice.TimeSource;
import io.sluice.exact.Exact;
import io.sluice.memory.keys.Hold;
import io.sluice.memory.keys.Receipt;
import io.sluice.memory.keys.Space;
import io.sluice.memory.state.Moment;
import io.sluice.memory.state.Terms;
import io.sluice.spi.LimitChangedException;
import io.sluice.spi.PolicyCharge;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/*
 * Several keys of several limiters, decided at one moment. Every key is held before any is judged, always in the same
 * order, so that two such decisions cannot wait for each other; then all are judged; then all are taken, or none.
 */
/** Charges that are decided together. */
final class JointDecision {
    /** What is asked of one key of one limit: what can be held once. */
    private static final class Part implements Comparable<Part> {
        final Space space;
        final MemoryChargeable limiter;
        final String key;
        final @Nullable Limit expected;

        /** What the charge carries. */
        final @Nullable Limit own;

        long permits;
        long kept;
        boolean shadow;

        private @Nullable Hold hold;

        Part(Space space, MemoryChargeable limiter, Charge charge) {
            this.space = space;
            this.limiter = limiter;
            key = limiter.kept(charge.key());
            permits = charge.permits();
            kept = PolicyCharge.kept(charge);
            shadow = PolicyCharge.isShadow(charge);
            expected = PolicyCharge.expected(charge);
            own = charge.limit();
        }

        void add(Part other) {
            if (own != null && !own.equals(other.own)) {
                throw new IllegalArgumentException("charges on \"" + limiter.name() + "\", key \"" + key + "\": carry "
                        + own + " and " + other.own + " (expected: one limit for each key of a decision)");
            }
            permits = Exact.sum(permits, other.permits);
            kept = Math.max(kept, other.kept);
            shadow &= other.shadow;
        }

        Hold hold() {
            Terms brought = limiter.brought(own);
            Hold hold = brought == null ? space.hold(key) : space.hold(key, brought);
            this.hold = hold;
            return hold;
        }

        Hold held() {
            if (hold == null) {
                throw new IllegalStateException("not held: " + key);
            }
            return hold;
        }

        /** Takes, if all are to be taken and this one may; starts its lockout if it may not. */
        void settle(boolean all, @Nullable List<MemoryTentativeDecision.Part> taken) {
            Hold hold = held();
            if (!hold.allowed()) {
                hold.deny();
            } else if (all) {
                hold.take();
                Receipt receipt = taken == null ? null : Receipt.of(hold, permits);
                if (taken != null && receipt != null) {
                    long held = hold.terms.lockoutMicros > 0 ? permits : 0;
                    hold.requireState().holdMore(held);
                    taken.add(new MemoryTentativeDecision.Part(limiter, key, permits, held, receipt));
                }
            }
        }

        @Override
        public int compareTo(Part other) {
            int bySpace = Integer.compare(space.id, other.space.id);
            return bySpace != 0 ? bySpace : key.compareTo(other.key);
        }
    }

    private final TimeSource time;

    /** One for each limit of each charge, in the order of the charges; the same one for what is the same key. */
    private final Part[] asked;

    /** How many limits each charge has, if any has more than one. */
    private final int @Nullable [] counts;

    private final int charges;

    /** No key twice, in the order in which they are held. */
    private final Part[] parts;

    private final MemoryStore store;

    /** The limits in force that it began with. */
    private final long enforcements;

    JointDecision(MemoryStore store, List<Charge> charges, TimeSource time, long enforcements) {
        this.store = store;
        this.enforcements = enforcements;
        this.time = time;
        this.charges = charges.size();
        Part[] asked = new Part[this.charges];
        int[] counts = null;
        int n = 0;
        for (int i = 0; i < this.charges; i++) {
            Charge charge = charges.get(i);
            MemoryChargeable limiter = store.limiterOf(charge);
            Space[] spaces = limiter.spaces();
            if (spaces.length != 1 && counts == null) {
                counts = new int[this.charges];
                Arrays.fill(counts, 1);
            }
            if (counts != null) {
                counts[i] = spaces.length;
            }
            for (Space space : spaces) {
                asked = n < asked.length ? asked : Arrays.copyOf(asked, 2 * n);
                asked[n++] = new Part(space, limiter, charge);
            }
        }
        this.asked = asked;
        this.counts = counts;
        this.parts = sorted(n);
    }

    /** In order, those of the same key made one. */
    private Part[] sorted(int n) {
        Part[] sorted = Arrays.copyOf(asked, n);
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

    /** Few, and mostly in order already. */
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
            if (asked[i] == gone) {
                asked[i] = by;
            }
        }
    }

    /**
     * Decides, or does nothing and returns null if limits were put in force meanwhile: some keys may be held under those and
     * some under the ones before.
     *
     * @param cancellable whether what is taken may be given back
     */
    @Nullable
    MemoryTentativeDecision decide(boolean cancellable) {
        int held = 0;
        try {
            for (Part part : parts) {
                Hold hold = part.hold();
                held++;
                if (part.expected != null && !part.expected.equals(hold.terms.limit)) {
                    if (isOvertaken()) {
                        return null;
                    }
                    throw new LimitChangedException(part.limiter.name(), part.expected);
                }
            }
            if (isOvertaken()) {
                return null;
            }
            Moment moment = new Moment(time);
            boolean allowed = true;
            for (Part part : parts) {
                part.held().arrive(moment);
                part.held().judge(part.permits, part.kept);
                allowed &= part.held().allowed() || part.shadow;
            }
            List<MemoryTentativeDecision.Part> taken = cancellable && allowed ? new ArrayList<>() : List.of();
            for (Part part : parts) {
                part.settle(allowed, cancellable ? taken : null);
            }
            return new MemoryTentativeDecision(new Decisions(allowed, decisions()), taken, time);
        } finally {
            for (int i = 0; i < held; i++) {
                parts[i].held().release();
            }
            if (held > 0) {
                parts[0].space.makeRoom();
            }
        }
    }

    private boolean isOvertaken() {
        return store.enforcements() != enforcements;
    }

    private List<Decision> decisions() {
        Decision[] each = new Decision[charges];
        int at = 0;
        for (int i = 0; i < charges; i++) {
            Decision decision = null;
            for (int n = counts == null ? 1 : counts[i]; n > 0; n--) {
                Decision next = asked[at++].held().decision();
                decision = decision == null ? next : decision.and(next);
            }
            each[i] = decision == null ? Decision.UNLIMITED : decision;
        }
        return List.of(each);
    }
}
