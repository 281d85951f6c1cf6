package io.sluice.compatibility;

import io.sluice.Limit;
import io.sluice.RateLimiter;
import io.sluice.Store;
import io.sluice.memory.MemoryStore;
import io.sluice.redis.RedisStore;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Calls the memory store and Redis from thousands of virtual threads, while Java records every pinned one. Fails if a pinned
 * thread was inside Sluice. Compiled for Java 17, so what is newer is called by reflection.
 */
final class VirtualThreads {
    static final String PASSED = "no virtual thread was pinned";

    private static final int THREADS = 1_000;
    private static final int KEYS = 8;

    private final ExecutorService threads;
    private final List<Future<?>> calls = new ArrayList<>();

    private VirtualThreads(ExecutorService threads) {
        this.threads = threads;
    }

    public static void main(String[] arguments) throws Exception {
        Path file = Path.of(arguments[1]);
        ExecutorService threads = (ExecutorService)
                Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
        // Loading a class pins the threads that wait for it, on every Java and in every library, once. So this is done
        // before.
        LoadedClasses.loadAll(MemoryStore.class, RedisStore.class);
        run(threads, arguments[0]);

        try (PinRecording recording = PinRecording.start()) {
            run(threads, arguments[0]);
            threads.submit(PinnedOnPurpose::park).get();
            List<String> pinned = recording.stop(file);
            pinned.forEach(System.out::println);
            System.exit(pinned.isEmpty() && recording.hasSeen(PinnedOnPurpose.class) ? passed() : failed(pinned));
        }
    }

    /** The stores are opened by virtual threads, as an application would. */
    private static void run(ExecutorService threads, String redis) throws Exception {
        try (MemoryStore memory = threads.submit(MemoryStore::create).get()) {
            new VirtualThreads(threads).callAll(memory);
        }
        Callable<RedisStore> connect = () -> RedisStore.builder()
                .uri(redis)
                .prefix("test-" + UUID.randomUUID())
                .deadline(Duration.ofSeconds(20))
                .build();
        try (RedisStore store = threads.submit(connect).get()) {
            new VirtualThreads(threads).callAll(store);
        }
    }

    private static int passed() {
        System.out.println(PASSED);
        return 0;
    }

    private static int failed(List<String> pinned) {
        System.out.println(
                pinned.isEmpty()
                        ? "the recording has not seen the thread that was pinned on purpose, so it proves nothing"
                        : pinned.size() + " pinned: a virtual thread held its carrier while it waited");
        return 1;
    }

    /** Every blocking verb, with and without waits, on few keys, so that the threads meet. */
    private void callAll(Store store) throws Exception {
        RateLimiter bucket = store.limiter("bucket", Limit.parse("token-bucket 2000/s burst 10"));
        RateLimiter window = store.limiter("window", Limit.parse("fixed-window 50 per 10ms"));
        RateLimiter log = store.limiter("log", Limit.parse("sliding-log 50 per 1h"), Limit.parse("1000000/s"));
        for (int i = 0; i < THREADS; i++) {
            String key = "key" + i % KEYS;
            call(() -> {
                bucket.acquire(key);
                return null;
            });
            call(() -> {
                window.acquire(key);
                return null;
            });
            call(() -> window.tryAcquire(key, 1, Duration.ofMillis(50)));
            call(() -> {
                bucket.reserve(key, 1, Duration.ofMillis(20)).cancel();
                return null;
            });
            call(() -> {
                log.check(key);
                log.refund(key, 1);
                return log.tryAcquire(key);
            });
            call(() -> store.decide(List.of(bucket.charge(key, 1), log.charge(key, 1))));
        }
        // The limiters change while all of them wait.
        call(() -> {
            bucket.update(Limit.parse("token-bucket 4000/s burst 20"));
            window.reset("key0");
            return null;
        });
        for (Future<?> call : calls) {
            call.get();
        }
    }

    private void call(Callable<?> call) {
        calls.add(threads.submit(call));
    }
}
