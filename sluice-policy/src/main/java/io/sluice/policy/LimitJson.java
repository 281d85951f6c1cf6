package io.sluice.policy;

import io.sluice.Limit;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/*
 * The few limits of a few policies are written again and again. A cache slot is found by the limit's identity hash.
 * Another limit with the same slot replaces the entry, which costs only time.
 */
/** Caches the texts of limits as JSON strings. */
final class LimitJson {
    private static final int SLOTS = 256;
    private static final AtomicReferenceArray<@Nullable Printed> CACHE = new AtomicReferenceArray<>(SLOTS);

    private record Printed(Limit limit, String text) {}

    private LimitJson() {}

    @SuppressWarnings("ReferenceEquality") // an equal limit that is another object only costs the time to write it
    static String quoted(Limit limit) {
        int slot = System.identityHashCode(limit) & (SLOTS - 1);
        Printed found = CACHE.get(slot);
        if (found == null || found.limit() != limit) {
            found = new Printed(limit, JsonText.quoted(limit.toString()));
            CACHE.set(slot, found);
        }
        return found.text();
    }
}
