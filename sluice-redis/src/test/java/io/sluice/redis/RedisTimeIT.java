package io.sluice.redis;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.protocol.CommandWrapper;
import io.lettuce.core.protocol.RedisCommand;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.sluice.Decision;
import io.sluice.Limit;
import io.sluice.RateLimiter;
import io.sluice.redis.script.Script;
import io.sluice.testkit.Eventually;
import io.sluice.testkit.ReferenceModel;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BiConsumer;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/*
 * The test cannot set the clock of this machine. But only the difference between the clocks of Redis and of the client could
 * matter. The test makes a difference: it changes the scripts, so that TIME and the expiry of keys are an hour off.
 */
class RedisTimeIT {
    @ParameterizedTest
    @CsvSource({
        "3600, token-bucket 20/s burst 5",
        "-3600, token-bucket 20/s burst 5",
        "3600, sliding-log 5 per 200ms",
        "-3600, sliding-log 5 per 200ms",
        "3600, warm-up 20/s over 150ms",
        "-3600, warm-up 20/s over 150ms",
        "-3600, sliding-log 5 per 50ms lockout 50ms escalate 1"
    })
    void decisions_whenClocksDifferByAnHour_areTheSame(long secondsAhead, String limit) {
        List<Seen> seen = decisions(secondsAhead, limit, (limiter, all) -> {
            Eventually.within(Duration.ofSeconds(20), "given again what was denied, five times", () -> {
                assertThat(limiter.check("key", 1 + all.size() % 3).degraded()).isFalse();
                return turns(all) == 5;
            });
        });
        assertDecidedAsByTheModel(seen, limit);
    }

    /** The windows are those of the clock of Redis: the client has to send others than it would know by its own clock. */
    @ParameterizedTest
    @CsvSource({
        "40000000, fixed-window 5 per day zone Asia/Kolkata",
        "-40000000, fixed-window 5 per month zone America/Sao_Paulo",
        "40000000, fixed-window 5 per year lockout 1h escalate 2"
    })
    void windowsOfTheCalendar_areThoseOfTheClockOfRedis(long secondsAhead, String limit) {
        List<Seen> seen = decisions(secondsAhead, limit, (limiter, all) -> {
            for (int i = 0; i < 10; i++) {
                assertThat(limiter.check("key", 1).degraded()).isFalse();
            }
        });
        assertThat(seen).filteredOn(one -> one.decision.allowed()).hasSize(5);
        assertDecidedAsByTheModel(seen, limit);
    }

    /** What a limiter decides on a Redis whose clock is ahead. */
    private static List<Seen> decisions(long secondsAhead, String limit, BiConsumer<RateLimiter, List<Seen>> requests) {
        List<Seen> seen = new CopyOnWriteArrayList<>();
        RedisClient client = RedisClient.create(TestRedis.PROCESS.uri());
        try (RedisStore store = RedisStore.builder()
                .connection(shifted(client.connect(ByteArrayCodec.INSTANCE), secondsAhead))
                .prefix(TestRedis.newPrefix())
                .deadline(Duration.ofSeconds(5))
                .build()) {
            store.parts.lanes.logDecisions(
                    (key, permits, decision, micros) -> seen.add(new Seen(permits, decision, micros)));
            requests.accept(store.limiter("api", Limit.parse(limit)), seen);
        } finally {
            client.shutdown(Duration.ZERO, Duration.ofSeconds(2));
        }
        assertThat(seen.get(0).micros / 1_000_000 - System.currentTimeMillis() / 1000)
                .isBetween(secondsAhead - 60, secondsAhead + 60);
        return seen;
    }

    private static void assertDecidedAsByTheModel(List<Seen> seen, String limit) {
        ReferenceModel model = ReferenceModel.of(Limit.parse(limit));
        for (Seen one : seen) {
            assertThat(one.decision).isEqualTo(model.check("key", one.permits, one.micros));
        }
    }

    private record Seen(long permits, Decision decision, long micros) {}

    /** How often a request was allowed after a denial. */
    private static long turns(List<Seen> seen) {
        return IntStream.range(1, seen.size())
                .filter(i -> seen.get(i).decision.allowed()
                        && !seen.get(i - 1).decision.allowed())
                .count();
    }

    /** A connection to a Redis whose clock is ahead. */
    private static StatefulRedisConnection<?, ?> shifted(StatefulRedisConnection<?, ?> connection, long secondsAhead) {
        String text = Script.DECIDE.text();
        text = replaced(text, "time[1] * 1000000", "(time[1] + " + secondsAhead + ") * 1000000");
        text = replaced(text, "div_up(fresh_at, 1000)", "div_up(fresh_at, 1000) - " + secondsAhead * 1000);
        // And the quick way, which has no functions.
        text = replaced(
                text,
                "(fresh_at - rest) / 1000 + 1 or fresh_at / 1000",
                "(fresh_at - rest) / 1000 + 1 - " + secondsAhead * 1000 + " or fresh_at / 1000 - "
                        + secondsAhead * 1000);
        String digest = TestRedis.PROCESS.command("SCRIPT", "LOAD", text);
        return (StatefulRedisConnection<?, ?>) Proxy.newProxyInstance(
                RedisTimeIT.class.getClassLoader(),
                new Class<?>[] {StatefulRedisConnection.class},
                (proxy, method, arguments) -> {
                    if (arguments != null && arguments[0] instanceof RedisCommand<?, ?, ?> command) {
                        arguments[0] = new Digest<>(command, digest);
                    }
                    try {
                        return method.invoke(connection, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    private static String replaced(String text, String part, String by) {
        assertThat(text).containsOnlyOnce(part);
        return text.replace(part, by);
    }

    /** The same command, with another script than the one that decides. */
    private static final class Digest<K, V, T> extends CommandWrapper<K, V, T> {
        private final String digest;

        Digest(RedisCommand<K, V, T> command, String digest) {
            super(command);
            this.digest = digest;
        }

        @Override
        public void encode(ByteBuf out) {
            ByteBuf original = Unpooled.buffer();
            super.encode(original);
            String text = original.toString(ISO_8859_1).replace(Script.DECIDE.digest(), digest);
            out.writeBytes(text.getBytes(ISO_8859_1));
        }
    }
}
