package io.sluice.redis;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.lettuce.core.RedisClient;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.StatefulRedisConnection;
import io.sluice.Limit;
import io.sluice.Permit;
import io.sluice.RateLimiter;
import io.sluice.testkit.Eventually;
import io.sluice.testkit.redis.RedisProcess;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/*
 * The processes judge by the records of Redis, in one step: the holds that Redis counts, and the workers that say they are
 * inside. A killed process can not say that it has left, so its set is deleted when the process has ended.
 */
class HoldersIT {
    private static final int PROCESSES = 4;
    private static final int KILLS = 6;

    /** Fewer than there are workers, so that the key is always full. */
    private static final int PERMITS = 7;

    private static final Duration HOLD = Duration.ofSeconds(2);
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final Queue<String> wrong = new ConcurrentLinkedQueue<>();
    private final AtomicLong entered = new AtomicLong();

    private record Holder(String name, Process process) {}

    private Holder start(RedisProcess redis, int number) {
        try {
            String name = "process-" + number;
            String limit = Limit.concurrency(PERMITS).hold(HOLD).toString();
            Process process = new ProcessBuilder(HolderProcess.command(redis.uri(), limit, name))
                    .redirectError(Redirect.INHERIT)
                    .start();
            Thread reader = new Thread(() -> read(process));
            reader.setDaemon(true);
            reader.start();
            return new Holder(name, process);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void read(Process process) {
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8))) {
            lines.lines().forEach(line -> {
                if (line.equals("ok")) {
                    entered.incrementAndGet();
                } else if (line.startsWith("held") || line.startsWith("decided")) {
                    wrong.add(line);
                }
            });
        } catch (IOException | UncheckedIOException killed) {
            // The process was killed while it wrote.
        }
    }

    private static void kill(Holder holder, StatefulRedisConnection<String, String> records) throws Exception {
        holder.process().destroyForcibly();
        assertThat(holder.process().waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS))
                .isTrue();
        records.sync().del(HolderProcess.INSIDE + holder.name());
    }

    private static long held(StatefulRedisConnection<String, String> records) {
        String counts = records.sync()
                .eval(
                        HolderProcess.COUNT,
                        ScriptOutputType.VALUE,
                        new String[] {HolderProcess.STATE},
                        HolderProcess.INSIDE);
        return Long.parseLong(counts.split(" ", -1)[0]);
    }

    @Test
    void processes_thatAreKilledAtRandom_neverHoldMoreThanTheLimit_andKeepNothing() throws Exception {
        Random random = new Random(17);
        try (RedisProcess redis = RedisProcess.start();
                StatefulRedisConnection<String, String> records =
                        RedisClient.create(redis.uri()).connect()) {
            List<Holder> holders = new ArrayList<>();
            try {
                int started = 0;
                while (started < PROCESSES) {
                    holders.add(start(redis, started++));
                }
                for (int i = 0; i < KILLS; i++) {
                    // Each kill comes after the processes have really worked.
                    long before = entered.get();
                    long more = 50L + random.nextInt(200);
                    Eventually.within(PATIENCE, "work", () -> entered.get() >= before + more);
                    kill(holders.remove(random.nextInt(holders.size())), records);
                    holders.add(start(redis, started++));
                }
                long before = entered.get();
                Eventually.within(PATIENCE, "work", () -> entered.get() >= before + 100);
            } finally {
                for (Holder holder : holders) {
                    kill(holder, records);
                }
            }
            assertThat(wrong).isEmpty();

            // The holds of the last processes lapse by themselves, and nothing stays behind.
            Eventually.within(HOLD.plus(PATIENCE), "lapsed", () -> held(records) == 0);
            try (RedisStore store = RedisStore.connect(redis.uri())) {
                RateLimiter limiter = store.limiter(
                        HolderProcess.LIMITER, Limit.concurrency(PERMITS).hold(HOLD));
                List<Optional<Permit>> all = Stream.generate(() -> limiter.tryEnter(HolderProcess.KEY))
                        .limit(PERMITS + 1)
                        .toList();
                assertThat(all.subList(0, PERMITS)).allMatch(Optional::isPresent);
                assertThat(all.get(PERMITS)).isEmpty();
                all.forEach(permit -> permit.ifPresent(Permit::close));
                assertThat(records.sync().exists(HolderProcess.STATE)).isZero();
            }
        }
    }
}
