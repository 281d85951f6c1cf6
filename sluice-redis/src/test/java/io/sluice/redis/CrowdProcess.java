package io.sluice.redis;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.sluice.Decision;
import io.sluice.Limit;
import io.sluice.Lockout;
import io.sluice.RateLimiter;
import io.sluice.StoreListener;
import io.sluice.testkit.Eventually;
import java.io.BufferedOutputStream;
import java.io.BufferedReader;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * A process of a {@link Crowd}. Reads a {@link Rush} from each line and writes the decisions of Redis to a file. Answers with
 * the number of calls that were answered without Redis, and of calls that were denied. Ends with its input.
 */
final class CrowdProcess {
    private static final int THREADS = 6;
    private static final int WARM = 300;
    private static final long MOST_LATE_MILLIS = 5000;
    private static final long LONGEST_PAUSE_MICROS = 2000;

    private final RedisStore store;
    private final AtomicLong degraded = new AtomicLong();
    private final AtomicLong denied = new AtomicLong();

    private CrowdProcess(RedisStore store) {
        this.store = store;
    }

    /**
     * Works until the input ends.
     *
     * @param args the URI of Redis, the file
     */
    public static void main(String[] args) throws Exception {
        BufferedReader orders = new BufferedReader(new InputStreamReader(System.in, UTF_8));
        try (RedisStore store = store(args[0])) {
            warmUp(store);
            System.out.println("ready");
            for (String order = orders.readLine(); order != null; order = orders.readLine()) {
                System.out.println(new CrowdProcess(store).join(Rush.parse(order), Path.of(args[1])));
            }
        }
    }

    private static RedisStore store(String uri) {
        // A busy machine is no outage.
        return RedisStore.builder()
                .uri(uri)
                .deadline(Duration.ofSeconds(5))
                .listener(new StoreListener() {
                    @Override
                    public void failed(int requests, Throwable cause) {
                        System.err.println("a call to Redis failed: " + cause);
                    }
                })
                .build();
    }

    /** The first answers of a new process are slow. */
    private static void warmUp(RedisStore store) {
        Eventually.within(Duration.ofSeconds(30), "connected", store::isAvailable);
        RateLimiter limiter = store.limiter("warm-up", Limit.parse("unlimited"));
        for (int i = 0; i < WARM; i++) {
            limiter.check("key");
        }
    }

    private String join(Rush rush, Path file) throws IOException, InterruptedException {
        Limit[] more = rush.limits().stream().skip(1).toArray(Limit[]::new);
        RateLimiter limiter = store.limiter(rush.name(), rush.limits().get(0), more);
        // Only a lockout remembers denials.
        boolean logsDenials = rush.limits().stream().anyMatch(Lockout.class::isInstance);
        try (DataOutputStream log = new DataOutputStream(new BufferedOutputStream(Files.newOutputStream(file)))) {
            store.parts.lanes.logDecisions((key, permits, decision, micros) -> {
                if (decision.allowed() || logsDenials) {
                    write(log, Integer.parseInt(key), permits, decision, micros);
                }
            });
            List<Thread> threads = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                threads.add(new Thread(() -> ask(limiter, rush)));
            }
            threads.forEach(Thread::start);
            for (Thread thread : threads) {
                thread.join();
            }
            store.parts.lanes.logDecisions(null);
        }
        return degraded + " " + denied;
    }

    private static void write(DataOutputStream log, int key, long permits, Decision decision, long micros) {
        try {
            new Decided(micros, key, (int) permits, decision.allowed(), decision.remaining()).write(log);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void ask(RateLimiter limiter, Rush rush) {
        ThreadLocalRandom random = ThreadLocalRandom.current();
        while (System.currentTimeMillis() < rush.startMillis()) {
            LockSupport.parkNanos(500_000);
        }
        while (!isOver(rush)) {
            // Some keys are much hotter than others.
            int key = (int) (rush.keys() * Math.pow(random.nextDouble(), 4));
            Decision decision = limiter.check(Integer.toString(key), random.nextInt(1, rush.mostPermits() + 1));
            if (decision.degraded()) {
                degraded.incrementAndGet();
            } else if (!decision.allowed()) {
                denied.incrementAndGet();
                LockSupport.parkNanos(Math.min(decision.retryAfterMicros(), LONGEST_PAUSE_MICROS) * 1000);
            }
        }
    }

    /** A limit that has not denied anything yet proves nothing; but a busy machine must not do so for ever. */
    private boolean isOver(Rush rush) {
        long late = System.currentTimeMillis() - rush.endMillis();
        return late >= (denied.get() > 0 ? 0 : MOST_LATE_MILLIS);
    }
}
