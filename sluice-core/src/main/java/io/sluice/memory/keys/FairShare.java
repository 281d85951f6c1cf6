package io.sluice.memory.keys;

import java.util.Queue;

/*
 * As water fills vessels: a limit with few keys has all of them, and those that want more share the rest evenly. So a
 * flood on one limit takes no key from a limit below that line, and no limit needs a number of its own.
 */
/** How many keys each limit may have in a full store before its keys are the first to go. Not thread-safe. */
final class FairShare {
    private static final int SPACES_FOR_ONE_EVICTION = 8;

    private final Queue<Space> spaces;
    private final long maxKeys;
    private long line = Long.MAX_VALUE;
    private int evictionsLeft;

    FairShare(Queue<Space> spaces, long maxKeys) {
        this.spaces = spaces;
        this.maxKeys = maxKeys;
    }

    boolean isExceededBy(Space space) {
        return space.cells.mappingCount() > line;
    }

    /** Called for each eviction; whether the line may have moved. Sizes change by little, and there may be thousands. */
    boolean follow() {
        if (--evictionsLeft >= 0) {
            return false;
        }
        long[] sizes = spaces.stream()
                .mapToLong(space -> space.cells.mappingCount())
                .sorted()
                .toArray();
        line = line(sizes, maxKeys);
        evictionsLeft = sizes.length / SPACES_FOR_ONE_EVICTION;
        return true;
    }

    /** @param sizes ascending */
    static long line(long[] sizes, long maxKeys) {
        long left = maxKeys;
        for (int i = 0; i < sizes.length; i++) {
            long each = left / (sizes.length - i);
            if (sizes[i] > each) {
                return each;
            }
            left -= sizes[i];
        }
        return Long.MAX_VALUE;
    }
}
