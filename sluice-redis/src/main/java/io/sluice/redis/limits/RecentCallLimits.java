package io.sluice.redis.limits;

import io.sluice.Limit;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/** Caches the encoded form of limits that come with calls. The table has a fixed size; a newer limit reslots an older one. */
public final class RecentCallLimits {
    private static final int SLOTS = 1 << 10;

    private final AtomicReferenceArray<@Nullable VersionedLimits> slots = new AtomicReferenceArray<>(SLOTS);

    /** The encoded form of a limit; not always the same object. */
    public VersionedLimits of(Limit limit) {
        int hash = limit.hashCode();
        int slot = (hash ^ (hash >>> 16)) & (SLOTS - 1);
        VersionedLimits known = slots.get(slot);
        if (known != null && known.limits().get(0).equals(limit)) {
            return known;
        }
        VersionedLimits made = VersionedLimits.ofCall(limit);
        slots.set(slot, made);
        return made;
    }
}
