package io.sluice.redis.limits;

import io.sluice.Limit;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/** The terms of limits that come with calls: a table of fixed size, in which a newer limit replaces an older one. */
public final class RecentCallLimits {
    private static final int PLACES = 1 << 10;

    private final AtomicReferenceArray<@Nullable VersionedLimits> places = new AtomicReferenceArray<>(PLACES);

    /** Those of a limit; not always the same ones. */
    public VersionedLimits of(Limit limit) {
        int hash = limit.hashCode();
        int place = (hash ^ (hash >>> 16)) & (PLACES - 1);
        VersionedLimits known = places.get(place);
        if (known != null && known.limits().get(0).equals(limit)) {
            return known;
        }
        VersionedLimits made = VersionedLimits.ofCall(limit);
        places.set(place, made);
        return made;
    }
}
