package io.sluice.redis;

import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import io.sluice.StoreListener;
import io.sluice.TimeSource;
import io.sluice.testkit.redis.RedisProcess;
import java.time.Duration;
import java.util.UUID;

/** One Redis for all tests of this JVM that share one; it ends with the JVM. */
final class TestRedis {
    static final RedisProcess PROCESS = RedisProcess.start();
    private static final RedisClient CLIENT = RedisClient.create(PROCESS.uri());
    private static final StatefulRedisConnection<byte[], byte[]> CONNECTION = CLIENT.connect(ByteArrayCodec.INSTANCE);

    /** Fails if a call to Redis fails. For tests in which no failure is expected. */
    static final StoreListener LOUD = new StoreListener() {
        @Override
        public void failed(int requests, Throwable cause) {
            throw new AssertionError("a call to Redis failed", cause);
        }
    };

    private TestRedis() {}

    /** A store with a prefix of its own, for decisions by this time; it needs no closing. */
    static RedisStore store(TimeSource time) {
        return RedisStore.builder()
                .connection(CONNECTION)
                .prefix(newPrefix())
                .deadline(Duration.ofSeconds(30))
                .virtualTime(time)
                .listener(LOUD)
                .build();
    }

    static String newPrefix() {
        return "test-" + UUID.randomUUID();
    }
}
