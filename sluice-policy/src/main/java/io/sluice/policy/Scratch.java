package io.sluice.policy;

/** What a thread needs for each request and need not make anew. */
final class Scratch {
    private static final ThreadLocal<Scratch> OF_THREAD = ThreadLocal.withInitial(Scratch::new);

    /** For the policies that apply; of no use once they are known. */
    final IntList found = new IntList();

    private int random = System.identityHashCode(this) | 1;

    static Scratch ofThread() {
        return OF_THREAD.get();
    }

    /** A number by chance. Another thread may ask too, which only makes it more so. */
    int random() {
        int next = random;
        next ^= next << 13;
        next ^= next >>> 17;
        next ^= next << 5;
        random = next;
        return next >>> 8;
    }
}
