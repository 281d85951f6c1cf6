package io.sluice;

import java.util.Comparator;
import java.util.TreeSet;

/*
 * Keys that are alike lie side by side, so the few that a cursor meets next are no fair sample of all. What it has met
 * lately is: the best of those are remembered, each eviction looks at a few more, and the best of all goes. Whoever was
 * used since it was met is put back with its new time.
 */
/** Chooses the keys that make room in a full store: those nearest to fresh. Not thread-safe. */
final class Evictor {
    private static final int LOOKS = 16;
    private static final int REMEMBERED = 256;

    /** A key, and when it will be fresh; the number makes equal times distinct. */
    private record Candidate(Cursor.Stop stop, long freshAt, long number) {}

    private final Cursor cursor;
    private final TimeSource time;
    private final TreeSet<Candidate> candidates =
            new TreeSet<>(Comparator.comparingLong(Candidate::freshAt).thenComparingLong(Candidate::number));
    private long numbers;

    Evictor(Cursor cursor, TimeSource time) {
        this.cursor = cursor;
        this.time = time;
    }

    /** Drops one key; whether one was dropped that was not fresh. */
    boolean evict() {
        for (int i = 0; i < LOOKS; i++) {
            Cursor.Stop stop = cursor.next();
            if (stop == null || remember(stop) == 0) {
                break;
            }
        }
        int putBacks = 0;
        for (Candidate best = candidates.pollFirst(); best != null; best = candidates.pollFirst()) {
            Cursor.Stop stop = best.stop();
            long freshIn = stop.cell().freshIn(time);
            if (freshIn == Long.MAX_VALUE) {
                continue; // held right now, or gone
            }
            boolean usedSince = freshIn > 0 && time.micros() + freshIn > best.freshAt();
            if (usedSince && putBacks++ < LOOKS) {
                remember(stop);
            } else if (stop.space().evict(stop.key(), stop.cell())) {
                return freshIn > 0;
            }
        }
        return false;
    }

    /** In how many microseconds the key will be fresh. */
    private long remember(Cursor.Stop stop) {
        long freshIn = stop.cell().freshIn(time);
        if (freshIn < Long.MAX_VALUE) {
            candidates.add(new Candidate(stop, time.micros() + freshIn, numbers++));
            if (candidates.size() > REMEMBERED) {
                candidates.pollLast();
            }
        }
        return freshIn;
    }
}
