package io.sluice.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.Charge;
import io.sluice.Decision;
import io.sluice.Limit;
import io.sluice.LimiterOptions;
import io.sluice.OnFailure;
import io.sluice.RateLimiter;
import io.sluice.redis.limits.ConfigFields;
import io.sluice.spi.LimiterSpec;
import io.sluice.testkit.Eventually;
import io.sluice.testkit.redis.RedisProcess;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Tests more limits than fit in one piece. Each store stands for a process. */
class RedisManyLimitsIT {
    private static final int MANY = 2 * ConfigFields.PIECE + 100;
    private static final Duration A_SECOND = Duration.ofSeconds(1);
    private static RedisProcess redis;

    private final String prefix = TestRedis.newPrefix();
    private final List<RedisStore> stores = new ArrayList<>();

    @BeforeAll
    static void start() {
        redis = RedisProcess.start();
    }

    @AfterAll
    static void stop() {
        redis.close();
    }

    @AfterEach
    void close() {
        stores.forEach(RedisStore::close);
    }

    private RedisStore newProcess() {
        RedisStore store = RedisStore.builder()
                .uri(redis.uri())
                .prefix(prefix)
                .deadline(Duration.ofSeconds(10))
                .build();
        stores.add(store);
        return store;
    }

    private static List<LimiterSpec> specs(int limiters, String limit, long revision) {
        LimiterOptions options = LimiterOptions.onFailure(OnFailure.ALLOW).revision(revision);
        return IntStream.range(0, limiters)
                .mapToObj(i -> new LimiterSpec("limiter" + i, options, Limit.parse(limit)))
                .toList();
    }

    private static Set<List<Limit>> limits(RedisStore store, List<RateLimiter> limiters) {
        return Set.copyOf(store.limits(limiters));
    }

    private String command(String... words) {
        return redis.command(words);
    }

    @Test
    void enforce_manyLimits_areInForceHereAtOnceAndElsewhereWithinASecond() {
        RedisStore one = newProcess();
        RedisStore two = newProcess();
        List<RateLimiter> here = one.enforce(specs(MANY, "10/d", 1));
        List<RateLimiter> there = two.enforce(specs(MANY, "10/d", 1));
        here.get(MANY - 1).check("key", 4);

        one.enforce(specs(MANY, "20/d", 2));

        assertThat(limits(one, here)).containsExactly(List.of(Limit.parse("20/d")));
        assertThat(here.get(MANY - 1).peek("key").remaining()).isEqualTo(16);
        Eventually.within(
                A_SECOND, "the other follows", () -> limits(two, there).equals(Set.of(List.of(Limit.parse("20/d")))));
        assertThat(there.get(MANY - 1).peek("key").remaining()).isEqualTo(16);
        assertThat(limits(two, two.enforce(specs(MANY, "30/d", 1)))).containsExactly(List.of(Limit.parse("20/d")));
        assertThat(command("KEYS", prefix + ":{config}:staged:*"))
                .as("left over")
                .isEmpty();
    }

    @Test
    void enforce_byTwoProcesses_oneOfThemWinsInBoth() {
        RedisStore one = newProcess();
        RedisStore two = newProcess();
        List<RateLimiter> here = one.enforce(specs(MANY, "10/d", 0));
        List<RateLimiter> there = two.enforce(specs(MANY, "10/d", 0));
        for (int i = 1; i <= 5; i++) {
            String limit = 10 + i + "/d";
            String other = 20 + i + "/d";
            CompletableFuture<Void> meanwhile = CompletableFuture.runAsync(() -> two.enforce(specs(MANY, other, 0)));
            one.enforce(specs(MANY, limit, 0));
            meanwhile.join();
            Eventually.within(
                    Duration.ofSeconds(5), "both agree", () -> limits(one, here).equals(limits(two, there)));
            assertThat(limits(one, here)).hasSize(1);
        }
    }

    @Test
    void enforce_whileOthersDecide_isSeenAsAWholeInEveryProcess() {
        RedisStore one = newProcess();
        RedisStore two = newProcess();
        List<LimiterSpec> specs = specs(MANY, "fixed-window 1000 per 1d from-first", 0);
        one.enforce(specs);
        two.enforce(specs);
        AtomicBoolean done = new AtomicBoolean();
        Set<List<Long>> seen = ConcurrentHashMap.newKeySet();
        List<CompletableFuture<Void>> deciding = new ArrayList<>();
        for (RedisStore store : List.of(one, two)) {
            List<Charge> looks = store.enforce(specs).stream()
                    .limit(500)
                    .map(limiter -> limiter.charge("key", 0))
                    .toList();
            deciding.add(CompletableFuture.runAsync(() -> {
                while (!done.get()) {
                    seen.add(store.decide(looks).each().stream()
                            .map(Decision::remaining)
                            .distinct()
                            .toList());
                }
            }));
        }
        for (int i = 1; i <= 20; i++) {
            (i % 3 == 0 ? two : one).enforce(specs(MANY, "fixed-window " + (1000 + i % 2) + " per 1d from-first", 0));
        }
        done.set(true);
        deciding.forEach(CompletableFuture::join);
        assertThat(seen).isSubsetOf(List.of(1000L), List.of(1001L));
    }

    @Test
    void enforce_moreOftenThanVersionsAreKept_keepsTheNewestVersions() {
        RedisStore store = newProcess();
        RateLimiter limiter = store.enforce(specs(MANY, "100/d", 1)).get(0);
        limiter.check("key", 4);

        for (int i = 1; i <= 70; i++) {
            // Every third time, only the revision changes.
            store.enforce(specs(MANY, 100 + i - i % 3 + "/d", 1 + i));
        }

        List<String> lines = text("limiter0").lines().toList();
        assertThat(lines).hasSizeLessThanOrEqualTo(64).last().asString().endsWith(" 71 token-bucket 169/d");
        assertThat(lines.stream().map(line -> Integer.parseInt(line.substring(0, line.indexOf(' ')))))
                .isSorted()
                .doesNotHaveDuplicates();
        assertThat(limiter.peek("key").remaining()).isEqualTo(165);
    }

    @Test
    void enforce_afterManyChanges_doesNotSendTheirHistories() {
        RedisStore one = newProcess();
        RedisStore two = newProcess();
        for (int i = 0; i <= 40; i++) {
            one.enforce(specs(MANY, 100 + i + "/d", 1 + i));
            two.enforce(specs(MANY, 100 + i + "/d", 1 + i));
        }
        long histories = (long) MANY * text("limiter0").length();
        long before = bytesSent();

        for (int i = 41; i <= 50; i++) {
            one.enforce(specs(MANY, 100 + i + "/d", 1 + i));
            two.enforce(specs(MANY, 100 + i + "/d", 1 + i));
        }

        // One process writes a line for each limiter. The other may read that line, if it looks before it is asked to
        // enforce.
        assertThat((bytesSent() - before) / 10).as("bytes of a change").isLessThan(histories / 2);
    }

    private String text(String limiter) {
        return command("HGET", prefix + ":{config}", ":" + limiter);
    }

    /** The bytes that Redis has sent and received. */
    private long bytesSent() {
        return command("INFO", "stats")
                .lines()
                .filter(line -> line.startsWith("total_net_input_bytes:") || line.startsWith("total_net_output_bytes:"))
                .mapToLong(line ->
                        Long.parseLong(line.substring(line.indexOf(':') + 1).strip()))
                .sum();
    }

    @Test
    void release_ofTheLastHolder_stopsFollowingTheLimits() {
        RedisStore one = newProcess();
        RedisStore two = newProcess();
        List<LimiterSpec> specs = specs(3, "10/d", 0);
        RateLimiter kept = one.limiter("limiter2", Limit.parse("10/d"));
        List<RateLimiter> held = one.limiters(specs);
        one.enforce(specs);
        one.limiters(specs.subList(0, 1));
        one.release(held);

        two.enforce(specs(3, "20/d", 0));

        Eventually.within(
                A_SECOND, "what is held is followed", () -> held.get(0).limits().equals(List.of(Limit.parse("20/d"))));
        assertThat(kept.limits()).as("asked for by itself").containsExactly(Limit.parse("20/d"));
        assertThat(held.get(1).limits()).as("released").containsExactly(Limit.parse("10/d"));
        two.enforce(specs(3, "20/d", 0)).get(1).check("key", 5);
        assertThat(held.get(1).check("key", 1).remaining())
                .as("who still asks it catches up")
                .isEqualTo(14);
    }
}
