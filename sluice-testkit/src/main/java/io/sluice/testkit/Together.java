package io.sluice.testkit;

import io.sluice.Decision;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Decides requests together: all judge first, then all are taken or none, then all report. */
final class Together {
    private record Target(ReferenceModel model, String key) {
        static Target of(Ask ask) {
            return new Target(ask.model(), ask.key());
        }
    }

    private Together() {}

    static List<Decision> decide(long micros, List<Ask> asks) {
        Map<Target, Ask> sums = new LinkedHashMap<>();
        asks.forEach(ask -> sums.merge(Target.of(ask), ask, Ask::and));

        Map<Target, Request> requests = new LinkedHashMap<>();
        sums.forEach((target, ask) -> requests.put(target, new Request(ask, micros)));

        boolean all = requests.values().stream().allMatch(request -> request.shadow() || request.allowed());
        for (Request request : requests.values()) {
            if (!request.allowed()) {
                request.deny();
            } else if (all) {
                request.take();
            }
        }
        return asks.stream()
                .map(ask -> Objects.requireNonNull(requests.get(Target.of(ask))).report())
                .toList();
    }
}
