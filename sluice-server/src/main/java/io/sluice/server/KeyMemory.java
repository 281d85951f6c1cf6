package io.sluice.server;

import io.sluice.memory.MemoryStore;

/*
 * A server needs some memory for itself, and its collector needs free memory to work with: with half of the rest for keys, a
 * store that is filled to the cap with the largest keys leaves both enough (MaxKeysIT).
 */
/** How much of the heap is for keys that are counted in memory. */
public final class KeyMemory {
    private static final long SERVER_ITSELF = 48L << 20;
    private static final long LEAST = 1L << 20;
    private static final long BYTES_OF_A_MEBIBYTE = 1L << 20;

    private KeyMemory() {}

    /** In bytes, in this process. */
    public static long bytes() {
        return bytes(Runtime.getRuntime().maxMemory());
    }

    /** How many keys that is. */
    public static long keys() {
        return MemoryStore.builder().maxBytes(bytes()).build().maxKeys();
    }

    static long bytes(long heap) {
        return Math.max(LEAST, (heap - SERVER_ITSELF) / 2);
    }

    /** As it is told: {@code derived from a heap of 358 MiB}. */
    public static String origin() {
        return "derived from a heap of " + Runtime.getRuntime().maxMemory() / BYTES_OF_A_MEBIBYTE + " MiB";
    }
}
