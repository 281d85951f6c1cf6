package io.sluice.policy;

import io.sluice.Limit;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/*
 * The few limits of a few policies are printed again and again. A place is found by the limit's identity; whoever comes
 * there with another limit takes it over, which costs time and nothing else.
 */
/** The texts of limits as JSON. */
final class LimitJson {
    private static final int PLACES = 256;
    private static final AtomicReferenceArray<@Nullable Printed> LATELY = new AtomicReferenceArray<>(PLACES);

    private record Printed(Limit limit, String text) {}

    private LimitJson() {}

    @SuppressWarnings("ReferenceEquality") // another one that is equal only costs the time to print it
    static String quoted(Limit limit) {
        int place = System.identityHashCode(limit) & (PLACES - 1);
        Printed found = LATELY.get(place);
        if (found == null || found.limit() != limit) {
            found = new Printed(limit, JsonText.quoted(limit.toString()));
            LATELY.set(place, found);
        }
        return found.text();
    }
}
