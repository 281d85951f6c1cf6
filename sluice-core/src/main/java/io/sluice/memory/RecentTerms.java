package io.sluice.memory;

import io.sluice.Limit;
import io.sluice.TimeSource;
import io.sluice.memory.state.Terms;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/** The terms of limits that come with calls: a table of fixed size, in which a newer limit replaces an older one. */
final class RecentTerms {
    private static final int PLACES = 1 << 10;

    private final TimeSource time;
    private final AtomicReferenceArray<@Nullable Terms> places = new AtomicReferenceArray<>(PLACES);

    RecentTerms(TimeSource time) {
        this.time = time;
    }

    /** Those of a limit; not always the same ones. */
    Terms of(Limit limit) {
        int hash = limit.hashCode();
        int place = (hash ^ (hash >>> 16)) & (PLACES - 1);
        Terms known = places.get(place);
        if (known != null && known.isOf(limit)) {
            return known;
        }
        Terms made = new Terms(limit, time);
        places.set(place, made);
        return made;
    }
}
