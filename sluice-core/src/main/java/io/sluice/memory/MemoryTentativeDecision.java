package io.sluice.memory;

import io.sluice.Charge;
import io.sluice.Decisions;
import io.sluice.TimeSource;
import io.sluice.exact.Exact;
import io.sluice.memory.keys.Receipt;
import io.sluice.spi.EnteredCharges;
import io.sluice.spi.PolicyCharge;
import io.sluice.spi.Taking;
import io.sluice.spi.TentativeDecision;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/** A tentative decision of a {@link MemoryStore}: permits are taken, until commit or cancel. Thread-safe. */
final class MemoryTentativeDecision implements TentativeDecision {
    private final Decisions decisions;
    private final List<Part> parts;
    private final List<Held> held;
    private final TimeSource time;
    private final AtomicBoolean settled = new AtomicBoolean();
    private final MemoryStore store;
    private final List<Charge> charges;

    /**
     * The permits that were taken from one key.
     *
     * @param tentative how many permits the key notes as tentative; 0 if its limit has no lockout
     * @param always whether they are taken even if the request is denied
     */
    record Part(MemoryChargeable limiter, String key, long permits, long tentative, Receipt receipt, boolean always) {}

    /**
     * A permit that is held under one limit.
     *
     * @param first whether no other limit of the limiter has the same id
     * @param micros for how long
     */
    record Held(MemoryChargeable limiter, String key, long id, boolean first, long micros) {
        JointHolds.Hold hold() {
            return new JointHolds.Hold(limiter, key, id);
        }
    }

    MemoryTentativeDecision(
            MemoryStore store,
            List<Charge> charges,
            Decisions decisions,
            List<Part> parts,
            List<Held> held,
            TimeSource time) {
        this.store = store;
        this.charges = charges;
        this.decisions = decisions;
        this.parts = parts;
        this.held = held;
        this.time = time;
    }

    @Override
    public Decisions decisions() {
        return decisions;
    }

    @Override
    public EnteredCharges entered() {
        if (held.isEmpty()) {
            return EnteredCharges.withoutHolds(decisions);
        }
        long shortest = held.stream().mapToLong(Held::micros).min().orElseThrow();
        List<HeldKey> keys = held.stream()
                .filter(Held::first)
                .map(one -> HeldKey.of(one.limiter(), one.key(), one.id()))
                .toList();
        return new EnteredCharges(
                decisions, HoldsText.of(keys), Exact.duration(Math.max(1, shortest / Entering.RENEWALS)));
    }

    @Override
    public void commit() {
        if (settled.compareAndSet(false, true)) {
            makeFinal();
        }
    }

    private void makeFinal() {
        for (Part part : parts) {
            if (part.tentative() > 0) {
                part.receipt().keep(part.key(), part.tentative());
            }
        }
    }

    @Override
    public String keep(Duration ttl) {
        if (!decisions.allowed() || !settled.compareAndSet(false, true)) {
            throw new IllegalStateException("denied, or settled before (expected: allowed charges, settled once)");
        }
        makeFinal();
        List<KeptReservation.KeptCharge> kept = new ArrayList<>(charges.size());
        for (int i = 0; i < charges.size(); i++) {
            PolicyCharge charge = PolicyCharge.of(charges.get(i));
            boolean taken = decisions.each().get(i).allowed() || charge.taking() != Taking.IF_ADMITTED;
            kept.add(new KeptReservation.KeptCharge(charge, taken));
        }
        long estimate = charges.isEmpty() ? 0 : charges.get(0).permits();
        return store.reservations().add(new KeptReservation(estimate, kept, parts), ttl);
    }

    @Override
    public void cancel() {
        giveBack(true);
    }

    @Override
    public void deny() {
        giveBack(false);
    }

    private void giveBack(boolean all) {
        if (settled.compareAndSet(false, true)) {
            for (Part part : parts) {
                if (all || !part.always()) {
                    part.receipt().giveBack(part.key(), part.permits(), part.tentative(), time);
                    part.limiter().gaveBack(part.key());
                }
            }
            if (!held.isEmpty()) {
                JointHolds.leave(held.stream().map(Held::hold).toList(), false, time);
            }
        }
    }
}
