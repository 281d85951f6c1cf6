package io.sluice.testkit;

import io.sluice.Decision;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Decides requests together: all judge first, then all are taken or none, then all report. */
final class Together {
    private record Target(ReferenceModel model, String key) {
        static Target of(Ask ask) {
            return new Target(ask.model(), ask.key());
        }
    }

    private Together() {}

    static List<Decision> decide(long micros, List<Ask> asks) {
        Map<Target, Long> sums = new LinkedHashMap<>();
        asks.forEach(ask -> sums.merge(Target.of(ask), ask.permits(), Together::sum));

        Map<Target, Request> requests = new LinkedHashMap<>();
        List<Request> each = asks.stream()
                .map(ask -> requests.computeIfAbsent(
                        Target.of(ask), to -> new Request(to.model, to.key, sums.getOrDefault(to, 0L), micros)))
                .toList();

        boolean all = each.stream().allMatch(Request::allowed);
        requests.values().forEach(all ? Request::take : Request::deny);

        return each.stream().map(Request::report).toList();
    }

    /** Saturates: so many are never had, except where they are unlimited. */
    private static long sum(long x, long y) {
        return x > Long.MAX_VALUE - y ? Long.MAX_VALUE : x + y;
    }
}
