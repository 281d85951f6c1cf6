package io.sluice.server;

import io.sluice.memory.MemoryStore;

/*
 * The server itself needs some memory, and the garbage collector needs free memory. Half of the rest is for keys. Then a memory
 * store that is full of the largest keys leaves enough for both (MaxKeysIT).
 */
/** The part of the heap that the memory store may use for keys. Public for the printed settings. */
public final class KeyMemory {
    private static final long SERVER_BYTES = 48L << 20;
    private static final long MIN_BYTES = 1L << 20;
    private static final long MEBIBYTE = 1L << 20;

    private KeyMemory() {}

    /** The number of bytes in this process. */
    public static long bytes() {
        return bytes(Runtime.getRuntime().maxMemory());
    }

    /** The number of keys that fit into {@link #bytes()}. */
    public static long keys() {
        return MemoryStore.builder().maxBytes(bytes()).build().maxKeys();
    }

    static long bytes(long heap) {
        return Math.max(MIN_BYTES, (heap - SERVER_BYTES) / 2);
    }

    /** The source of the number, for people: {@code derived from a heap of 358 MiB}. */
    public static String description() {
        return "derived from a heap of " + Runtime.getRuntime().maxMemory() / MEBIBYTE + " MiB";
    }
}
