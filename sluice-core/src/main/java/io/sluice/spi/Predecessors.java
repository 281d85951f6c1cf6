package io.sluice.spi;

import io.sluice.Algorithm;
import io.sluice.Limit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.BiPredicate;

/** Which limit takes over the state of which, when an update replaces the limits of a limiter. */
public final class Predecessors {
    /** Without a predecessor: the limit begins fresh. */
    public static final int NONE = -1;

    private Predecessors() {}

    /**
     * The predecessor of each new limit: its position among the old limits, or {@link #NONE}. A limit that stays keeps its own
     * state. Each other limit takes over the state of a limit that goes: the first one that counts alike, else the first one.
     * Both lists are in the order in which users gave the limits.
     */
    public static int[] of(List<Limit> before, List<Limit> after) {
        int[] predecessors = new int[after.size()];
        Arrays.fill(predecessors, NONE);
        List<Integer> left = new ArrayList<>();
        for (int i = 0; i < before.size(); i++) {
            left.add(i);
        }
        assign(predecessors, left, before, after, Limit::equals);
        assign(predecessors, left, before, after, Predecessors::countAlike);
        assign(predecessors, left, before, after, (old, next) -> true);
        return predecessors;
    }

    private static void assign(
            int[] predecessors,
            List<Integer> left,
            List<Limit> before,
            List<Limit> after,
            BiPredicate<Limit, Limit> takesOver) {
        for (int i = 0; i < predecessors.length; i++) {
            for (Integer old : predecessors[i] == NONE ? List.copyOf(left) : List.<Integer>of()) {
                if (predecessors[i] == NONE && takesOver.test(before.get(old), after.get(i))) {
                    predecessors[i] = old;
                    left.remove(old);
                }
            }
        }
    }

    /** Only between such limits something is carried over. */
    private static boolean countAlike(Limit one, Limit other) {
        return one.algorithm().holds() == other.algorithm().holds() && countsNothing(one) == countsNothing(other);
    }

    private static boolean countsNothing(Limit limit) {
        return limit.algorithm() == Algorithm.UNLIMITED || limit.algorithm() == Algorithm.BLOCKED;
    }
}
