package io.sluice.memory;

import io.sluice.Charge;
import io.sluice.Decision;
import io.sluice.TimeSource;
import io.sluice.spi.KeptNow;
import io.sluice.spi.PolicyCharge;
import io.sluice.spi.SettledCharge;
import io.sluice.spi.Taking;
import java.util.ArrayList;
import java.util.List;

/**
 * The charges of a request whose cost is known only later.
 *
 * @param estimate the permits that each charge took
 * @param parts the receipts of what they took
 */
record KeptReservation(long estimate, List<KeptCharge> charges, List<MemoryTentativeDecision.Part> parts) {
    /** @param taken whether it took the estimate; a shadow charge that was denied did not */
    record KeptCharge(PolicyCharge charge, boolean taken) {
        Charge byForce(long permits, KeptNow kept) {
            return new PolicyCharge(
                    charge.limiter(),
                    charge.key(),
                    taken ? permits : 0,
                    charge.limit(),
                    kept.kept(charge.limiter().name(), charge.kept()),
                    charge.shadow(),
                    null,
                    Taking.FIRST);
        }
    }

    /** Replaces the estimate by what was really used. */
    List<SettledCharge> settle(MemoryStore store, long actual, KeptNow kept, TimeSource time) {
        for (MemoryTentativeDecision.Part part : parts) {
            long back = part.permits() - Math.min(part.permits(), actual);
            part.receipt().undo(part.key(), part.permits(), back, time);
            part.limiter().gaveBack(part.key());
        }
        long more = Math.max(0, actual - estimate);
        List<Charge> byForce = new ArrayList<>(charges.size());
        charges.forEach(charge -> byForce.add(charge.byForce(more, kept)));
        List<Decision> now = store.decideRates(byForce);
        List<SettledCharge> settled = new ArrayList<>(charges.size());
        for (int i = 0; i < charges.size(); i++) {
            Charge charge = byForce.get(i);
            long less = charges.get(i).taken() ? Math.max(0, estimate - actual) : 0;
            settled.add(new SettledCharge(charge.limiter().name(), charge.key(), charge.permits(), less, now.get(i)));
        }
        return settled;
    }
}
