package io.sluice.spi;

import io.sluice.Charge;
import io.sluice.Decision;
import io.sluice.Decisions;
import java.util.ArrayList;
import java.util.List;

/** Charges that are decided together, and the listeners of their limiters. */
public final class ListenedCharges {
    private final List<Charge> given;
    private final List<Charge> charges;

    private ListenedCharges(List<Charge> given, List<Charge> charges) {
        this.given = given;
        this.charges = charges;
    }

    /** Reads charges on limiters with or without a listener. */
    public static ListenedCharges of(List<Charge> given) {
        boolean listened = false;
        for (Charge charge : given) {
            listened |= charge.limiter() instanceof Listened;
        }
        if (!listened) {
            return new ListenedCharges(given, given);
        }
        List<Charge> charges = new ArrayList<>(given.size());
        for (Charge charge : given) {
            charges.add(charge.limiter() instanceof Listened limiter ? on(limiter, PolicyCharge.of(charge)) : charge);
        }
        return new ListenedCharges(given, charges);
    }

    private static PolicyCharge on(Listened limiter, PolicyCharge charge) {
        return new PolicyCharge(
                limiter.decider(),
                charge.key(),
                charge.permits(),
                charge.limit(),
                charge.kept(),
                charge.shadow(),
                charge.expected(),
                charge.taking());
    }

    /** The charges on the limiters that decide. */
    public List<Charge> charges() {
        return charges;
    }

    /** Whether a limiter has a listener. */
    public boolean areListened() {
        return given != charges;
    }

    /** Reports the decisions to the listeners, and returns them. */
    public Decisions report(Decisions decisions) {
        if (areListened()) {
            for (int i = 0; i < given.size(); i++) {
                Charge charge = given.get(i);
                if (charge.limiter() instanceof Listened limiter) {
                    Decision decision = decisions.each().get(i);
                    limiter.decided(charge.key(), charge.permits(), decision);
                }
            }
        }
        return decisions;
    }
}
