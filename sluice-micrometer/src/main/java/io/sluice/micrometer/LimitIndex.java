package io.sluice.micrometer;

import io.sluice.Limit;
import io.sluice.policy.LimitInForce;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Finds the limits of one {@link io.sluice.policy.PolicyEngine#limits()} by their series. Immutable. */
final class LimitIndex {
    private final List<LimitInForce> source;
    private final Map<LimitSeries, Limit> limits;

    LimitIndex(List<LimitInForce> source) {
        this.source = source;
        this.limits = new HashMap<>(source.size() * 2);
        for (LimitInForce limit : source) {
            LimitSeries series = LimitSeries.of(limit);
            if (series != null) {
                // Of overrides with one name, the first decides.
                limits.putIfAbsent(series, limit.limit());
            }
        }
    }

    /** Whether it was made of this very list: the engine returns another list when limits have changed. */
    @SuppressWarnings("ReferenceEquality")
    boolean isOf(List<LimitInForce> list) {
        return source == list;
    }

    Set<LimitSeries> series() {
        return limits.keySet();
    }

    @Nullable
    Limit limit(LimitSeries series) {
        return limits.get(series);
    }
}
