package io.sluice.testkit.usage;

import java.util.function.LongPredicate;

/** Finds the smallest number for which a monotonic condition holds. */
public final class BinarySearch {
    private BinarySearch() {}

    /**
     * The smallest number, from 0 on, for which the predicate holds.
     *
     * @param guess where the search begins; the result does not depend on it
     */
    public static long least(long guess, LongPredicate holds) {
        if (holds.test(0)) {
            return 0;
        }
        long no = 0;
        long yes = Math.max(1, guess);
        while (!holds.test(yes)) {
            no = yes;
            yes = Math.multiplyExact(yes, 2L);
        }
        while (yes - no > 1) {
            long middle = no + (yes - no) / 2;
            if (holds.test(middle)) {
                yes = middle;
            } else {
                no = middle;
            }
        }
        return yes;
    }
}
