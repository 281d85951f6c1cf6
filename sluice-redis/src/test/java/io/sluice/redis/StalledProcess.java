package io.sluice.redis;

import io.sluice.Limit;
import io.sluice.RateLimiter;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/** Makes many concurrent calls until standard input ends. Then prints how many were not decided by Redis. */
final class StalledProcess {
    /** So long that only the stalls exceed it, also while other tests use the processors. */
    static final int DEADLINE_MILLIS = 1000;

    private static final int AT_A_TIME = 32;
    private static final int WARM = 20_000;

    private StalledProcess() {}

    /**
     * Asks until it is told to stop.
     *
     * @param args the URI of Redis
     */
    public static void main(String[] args) throws Exception {
        AtomicBoolean stopped = new AtomicBoolean();
        Thread reader = new Thread(() -> {
            try {
                System.in.read();
            } catch (IOException e) {
                // The parent process has ended.
            }
            stopped.set(true);
        });
        reader.setDaemon(true);
        reader.start();
        try (RedisStore store = RedisStore.builder()
                .uri(args[0])
                .deadline(Duration.ofMillis(DEADLINE_MILLIS))
                .build()) {
            RateLimiter limiter = store.limiter("stalled", Limit.parse("1000000/s"));
            AtomicLong degraded = new AtomicLong();
            Semaphore free = new Semaphore(AT_A_TIME);
            for (long asked = 0; !stopped.get(); asked++) {
                if (asked == WARM) {
                    System.out.println("warm");
                }
                free.acquire();
                limiter.checkAsync("key-" + asked % 1000, 1).thenAccept(decision -> {
                    degraded.addAndGet(decision.degraded() ? 1 : 0);
                    free.release();
                });
            }
            free.acquire(AT_A_TIME);
            System.out.println("degraded " + degraded);
        }
    }
}
