package io.sluice.testkit;

import java.util.function.LongPredicate;

/** Finds when something first holds, knowing only that it keeps holding from then on. */
final class Search {
    private Search() {}

    /**
     * The least number, from 0 on, for which the predicate holds.
     *
     * @param guess where to look first; the answer does not depend on it
     */
    static long least(long guess, LongPredicate holds) {
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
