package io.sluice.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.Limit;
import io.sluice.RateLimiter;
import io.sluice.testkit.Eventually;
import io.sluice.testkit.redis.RedisProcess;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests workers that wait for permits to call a partner with a rate limit, while Redis stops in between. */
class PartnerIT {
    private static final int WORKERS = 30;
    private static final Duration WINDOW = Duration.ofSeconds(3);

    /** A worker may start up to a deadline after the decision, and when it gets a processor. */
    private static final Duration HEARS = Duration.ofMillis(500);

    private record Granted(long askedNanos, long nanos) {}

    private final Queue<Granted> granted = new ConcurrentLinkedQueue<>();
    private volatile boolean stopping;

    @ParameterizedTest
    @CsvSource({"sliding-log 18 per 3s, 18", "leaky-bucket 18 per 3s, 19"})
    void acquire_whileRedisStops_neverExceedsThePartnersLimit(String limit, int most) throws InterruptedException {
        List<Thread> workers = new ArrayList<>();
        long stopped;
        long resumed;
        try (RedisProcess redis = RedisProcess.start();
                RedisStore store = RedisStore.connect(redis.uri())) {
            RateLimiter limiter = store.limiter("partner", Limit.parse(limit));
            Eventually.within(Duration.ofSeconds(10), "there", store::isAvailable);
            for (int i = 0; i < WORKERS; i++) {
                Thread worker = new Thread(() -> work(limiter));
                worker.setDaemon(true);
                workers.add(worker);
                worker.start();
            }
            await(20);
            redis.pause();
            stopped = System.nanoTime();
            LockSupport.parkNanos(Duration.ofSeconds(4).toNanos());
            resumed = System.nanoTime();
            int before = granted.size();
            redis.resume();
            await(before + 40);
            stopping = true;
        }
        for (Thread worker : workers) {
            worker.join(10_000);
        }
        long begin = stopped;
        long end = resumed;
        assertThat(granted)
                .as("asked while Redis was stopped, granted before it was back")
                .noneMatch(grant -> grant.askedNanos() > begin && grant.nanos() < end);
        assertThat(mostWithin(WINDOW.minus(HEARS))).isLessThanOrEqualTo(most);
    }

    private void work(RateLimiter limiter) {
        try {
            while (!stopping) {
                long asked = System.nanoTime();
                limiter.acquire("partner", 1);
                granted.add(new Granted(asked, System.nanoTime()));
            }
        } catch (InterruptedException | IllegalStateException closed) {
            // It is over.
        }
    }

    private void await(int grants) {
        Eventually.within(Duration.ofSeconds(30), () -> granted.size() + " granted", () -> granted.size() >= grants);
    }

    private int mostWithin(Duration window) {
        long[] times = granted.stream().mapToLong(Granted::nanos).sorted().toArray();
        int most = 0;
        int from = 0;
        for (int to = 0; to < times.length; to++) {
            while (times[to] - times[from] > window.toNanos()) {
                from++;
            }
            most = Math.max(most, to - from + 1);
        }
        return most;
    }
}
