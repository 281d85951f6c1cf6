package io.sluice.redis.call;

import io.sluice.redis.limits.VersionedLimits;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Identical calls on one key, which are one request to the script. */
final class MergedCalls {
    private static final int MOST_CALLS = 0xffff;

    final Call<?> first;
    final List<Call<?>> calls = new ArrayList<>(2);

    MergedCalls(Call<?> first) {
        this.first = first;
        calls.add(first);
    }

    boolean canTake(Call<?> call) {
        return first.verb == call.verb
                && first.permits == call.permits
                && expectsSame(call)
                && hasSameLimits(first.callLimit(), call.callLimit())
                && first.virtualMicros == call.virtualMicros
                && calls.size() < MOST_CALLS;
    }

    private boolean expectsSame(Call<?> call) {
        return !(first instanceof CheckCall check) || check.expectsSame((CheckCall) call);
    }

    private static boolean hasSameLimits(@Nullable VersionedLimits x, @Nullable VersionedLimits y) {
        return x == y || (x != null && y != null && x.hasSameLimits(y));
    }

    /** The limits under which the calls are decided. */
    VersionedLimits limits() {
        VersionedLimits callLimit = first.callLimit();
        return callLimit == null ? first.limiter.versions() : callLimit;
    }
}
