package io.sluice.redis.call;

import io.sluice.redis.limits.VersionedLimits;
import org.jspecify.annotations.Nullable;

/** A key of a {@link Batch}. */
final class BatchedKey {
    final CalledKey key;

    /** The number by which requests name the key, from 1. */
    final int number;

    /** The latest calls on this key, if further identical calls can be merged with them. */
    @Nullable
    MergedCalls last;

    /** The limit that came with the first call; null for a limiter that has its limits itself. */
    @Nullable
    VersionedLimits firstLimit;

    /** Whether calls came with different limits. */
    private boolean severalLimits;

    /** The limit that came with the latest call that was encoded. */
    @Nullable
    VersionedLimits encodedLimit;

    BatchedKey(CalledKey key, int number) {
        this.key = key;
        this.number = number;
    }

    boolean hasSeveralLimits() {
        return severalLimits;
    }

    /** Notes the limit that came with a call. */
    void addLimit(VersionedLimits limit) {
        firstLimit = firstLimit == null ? limit : firstLimit;
        severalLimits |= !limit.hasSameLimits(firstLimit);
    }

    /** Whether a call has another limit than the call that was encoded before it. */
    boolean changesLimit(@Nullable VersionedLimits callLimit) {
        VersionedLimits limit = orUnspecified(callLimit);
        if (!severalLimits || encodedLimit == null || limit.hasSameLimits(encodedLimit)) {
            return false;
        }
        encodedLimit = limit;
        return true;
    }

    /** A call without a limit is about whatever limit is stored with the key. */
    static VersionedLimits orUnspecified(@Nullable VersionedLimits callLimit) {
        return callLimit == null ? VersionedLimits.UNSPECIFIED : callLimit;
    }
}
