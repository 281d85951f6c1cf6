package io.sluice.policy.engine;

import io.sluice.policy.match.IntList;

/** Buffers that a thread uses again for each request, to avoid allocations. */
final class ThreadScratch {
    private static final ThreadLocal<ThreadScratch> OF_THREAD = ThreadLocal.withInitial(ThreadScratch::new);

    /** The positions of the matching policies; valid only until they are copied into the request. */
    final IntList found = new IntList();

    private int random = System.identityHashCode(this) | 1;

    static ThreadScratch ofThread() {
        return OF_THREAD.get();
    }

    /** A pseudo-random number. A race with another thread does no harm: the number stays random. */
    int random() {
        int next = random;
        next ^= next << 13;
        next ^= next >>> 17;
        next ^= next << 5;
        random = next;
        return next >>> 8;
    }
}
