package io.sluice.redis.call;

import java.nio.ByteBuffer;
import java.security.SecureRandom;

/** Makes the ids of holds: random numbers that nobody can guess. Asking the generator for many at a time is much faster. */
final class HoldIds {
    private static final SecureRandom RANDOM = new SecureRandom();
    private static final ByteBuffer READY = ByteBuffer.allocate(8 * 512).limit(0);

    private HoldIds() {}

    static synchronized long next() {
        if (!READY.hasRemaining()) {
            RANDOM.nextBytes(READY.array());
            READY.clear();
        }
        return READY.getLong();
    }

    /** The ids of several holds of one request differ in the last byte; see {@code main.lua}. */
    static long nth(long id, int n) {
        return (id & ~0xffL) | ((id + n) & 0xff);
    }
}
