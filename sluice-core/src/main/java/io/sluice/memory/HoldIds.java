package io.sluice.memory;

import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;

/*
 * An id that leaves the process comes from a secure generator. That takes longer than to enter. So the others are numbers in
 * order, scrambled as in SplittableRandom, from a start that nobody knows. Ids of both kinds practically never meet.
 */
/** Makes ids of holds: any number but 0. Thread-safe. */
final class HoldIds {
    private static final long GOLDEN = 0x9E3779B97F4A7C15L;

    private final AtomicLong next = new AtomicLong(secret());

    /** An id that this process keeps to itself. */
    long own() {
        long id = next.addAndGet(GOLDEN);
        id = (id ^ (id >>> 30)) * 0xBF58476D1CE4E5B9L;
        id = (id ^ (id >>> 27)) * 0x94D049BB133111EBL;
        id ^= id >>> 31;
        return id == 0 ? own() : id;
    }

    /** An id that leaves the process, which nobody can guess. */
    static long secret() {
        // 60 random bits and 62 random bits: together all are random.
        UUID random = UUID.randomUUID();
        long id = random.getMostSignificantBits() ^ Long.rotateLeft(random.getLeastSignificantBits(), 32);
        return id == 0 ? secret() : id;
    }
}
