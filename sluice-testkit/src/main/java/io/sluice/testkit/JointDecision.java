package io.sluice.testkit;

import io.sluice.Decision;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Decides charges together: judges all of them, then takes all or none, then reports on all. */
final class JointDecision {
    private record Target(ReferenceModel model, String key) {
        static Target of(ModelCharge charge) {
            return new Target(charge.model(), charge.key());
        }
    }

    private JointDecision() {}

    static List<Decision> decide(long micros, List<ModelCharge> charges) {
        return decide(micros, charges, new HashMap<>());
    }

    /** @param taken gets what each charge took, to be settled later */
    static List<Decision> decide(long micros, List<ModelCharge> charges, Map<ModelCharge, ModelReservation> taken) {
        Map<Target, ModelCharge> sums = new LinkedHashMap<>();
        charges.forEach(charge -> sums.merge(Target.of(charge), charge, ModelCharge::and));
        // However many permits it asks for, a charge holds one.
        Map<Target, Integer> entering = new HashMap<>();
        charges.forEach(charge -> entering.merge(Target.of(charge), charge.asked() > 0 ? 1 : 0, Integer::sum));

        Map<Target, PendingCharge> requests = new LinkedHashMap<>();
        sums.forEach((target, charge) ->
                requests.put(target, new PendingCharge(charge, entering.getOrDefault(target, 0), micros)));

        boolean all = requests.values().stream().allMatch(request -> request.shadow() || request.allowed());
        for (PendingCharge request : requests.values()) {
            if (!request.allowed()) {
                request.deny();
            }
            if (request.always()) {
                request.takeByForce();
            } else if (all && (request.allowed() || request.withRequest())) {
                taken.put(request.charge(), request.take());
            }
        }
        return charges.stream()
                .map(charge ->
                        Objects.requireNonNull(requests.get(Target.of(charge))).report())
                .toList();
    }
}
