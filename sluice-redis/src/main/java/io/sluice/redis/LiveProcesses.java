package io.sluice.redis;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.UUID;

/** Knows the id of this process, and how many processes use the same Redis and prefix. */
final class LiveProcesses {
    /** A process without a heartbeat for this time counts as dead. */
    static final Duration ALIVE = Duration.ofSeconds(3);

    private final byte[] id = UUID.randomUUID().toString().getBytes(StandardCharsets.UTF_8);
    private volatile int count = 1;
    private volatile long doubtUntil = System.nanoTime();

    /** The id of this process in Redis. */
    byte[] id() {
        return id;
    }

    int count() {
        return count;
    }

    /** Redis has counted the processes. A smaller number counts only when all processes had time for a heartbeat. */
    void count(int reported) {
        if (reported >= count || System.nanoTime() - doubtUntil >= 0) {
            count = reported;
        }
    }

    /** Redis may have lost its list of processes. */
    void doubt() {
        doubtUntil = System.nanoTime() + ALIVE.toNanos();
    }
}
