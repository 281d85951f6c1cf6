package io.sluice.memory;

import java.security.SecureRandom;
import java.util.concurrent.ThreadLocalRandom;

/** Makes ids of holds: any number but 0. */
final class HoldIds {
    private static final SecureRandom SECURE = new SecureRandom();

    private HoldIds() {}

    /** An id that this process keeps to itself. */
    static long own() {
        ThreadLocalRandom random = ThreadLocalRandom.current();
        long id = random.nextLong();
        return id == 0 ? own() : id;
    }

    /** An id that leaves the process, which nobody can guess. */
    static long secret() {
        long id = SECURE.nextLong();
        return id == 0 ? secret() : id;
    }
}
