package io.sluice.redis;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.lettuce.core.RedisClient;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import io.sluice.Limit;
import io.sluice.Permit;
import io.sluice.RateLimiter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;

/**
 * A process that enters and leaves one key until it is killed. At each enter it checks, in one step of Redis, that no more
 * permits are held than the limit allows, and that no more workers of living processes are inside. It prints what is wrong.
 */
final class HolderProcess {
    static final String LIMITER = "reports";
    static final String KEY = "hot";
    static final String STATE = "sluice:{" + LIMITER + ":" + KEY + "}";

    /** Sets whose names begin with this have the workers of one process that are inside. */
    static final String INSIDE = "inside:";

    private static final int THREADS = 5;

    /** Returns the number of holds that have not lapsed by the clock of Redis, and the number of workers inside. */
    static final String COUNT = """
            local time = redis.call('TIME')
            local now = time[1] * 1000000 + time[2]
            local text = redis.call('GET', KEYS[1]) or ''
            local held, inside = 0, 0
            for at = 21, #text, 15 do
              if struct.unpack('>I7', text, at + 8) > now then
                held = held + 1
              end
            end
            for _, set in ipairs(redis.call('KEYS', ARGV[1] .. '*')) do
              inside = inside + redis.call('SCARD', set)
            end
            return held .. ' ' .. inside
            """;

    private HolderProcess() {}

    /**
     * Works until the process is killed.
     *
     * @param args the URI of Redis, the limit, the name of this process
     */
    public static void main(String[] args) throws Exception {
        try (RedisStore store = RedisStore.builder()
                        .uri(args[0])
                        .deadline(Duration.ofSeconds(5))
                        .build();
                StatefulRedisConnection<String, String> records =
                        RedisClient.create(args[0]).connect()) {
            RateLimiter limiter = store.limiter(LIMITER, Limit.parse(args[1]));
            System.out.println("ready");
            Thread[] threads = new Thread[THREADS];
            for (int i = 0; i < THREADS; i++) {
                String worker = "worker-" + i;
                threads[i] = new Thread(() -> work(limiter, records.sync(), INSIDE + args[2], worker));
                threads[i].start();
            }
            for (Thread thread : threads) {
                thread.join();
            }
        }
    }

    private static void work(RateLimiter limiter, RedisCommands<String, String> records, String set, String worker) {
        long most = limiter.limits().get(0).capacity();
        ThreadLocalRandom random = ThreadLocalRandom.current();
        while (true) {
            Optional<Permit> entered = limiter.tryEnter(KEY);
            if (entered.isEmpty()) {
                LockSupport.parkNanos(random.nextLong(2_000_000));
                continue;
            }
            try (Permit permit = entered.get()) {
                records.sadd(set, worker);
                String[] counts = records.<String>eval(COUNT, ScriptOutputType.VALUE, new String[] {STATE}, INSIDE)
                        .split(" ", -1);
                if (Long.parseLong(counts[0]) > most || Long.parseLong(counts[1]) > most) {
                    System.out.println("held " + counts[0] + ", inside " + counts[1] + " of " + most);
                } else if (permit.decision().degraded()) {
                    System.out.println("decided without Redis");
                } else {
                    System.out.println("ok");
                }
                LockSupport.parkNanos(random.nextLong(3_000_000));
                records.srem(set, worker);
            }
        }
    }

    static String[] command(String uri, String limit, String name) {
        return new String[] {
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xmx96m",
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-Dstdout.encoding=" + UTF_8,
            "-cp",
            System.getProperty("java.class.path"),
            HolderProcess.class.getName(),
            uri,
            limit,
            name
        };
    }
}
