package io.sluice.compatibility;

import java.util.concurrent.locks.LockSupport;

/** Parks in the initializer of a class, which pins a virtual thread on every Java: so the recording is known to see pins. */
final class PinnedOnPurpose {
    private PinnedOnPurpose() {}

    static void park() {
        Initializer.touch();
    }

    private static final class Initializer {
        static {
            LockSupport.parkNanos(1_000_000);
        }

        static void touch() {}
    }
}
