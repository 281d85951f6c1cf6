package io.sluice.policy;

import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import io.sluice.TimeSource;
import io.sluice.redis.RedisStore;
import io.sluice.testkit.redis.RedisProcess;
import java.time.Duration;
import java.util.UUID;

/** A single Redis server, shared by the tests of this JVM; it stops with the JVM. */
final class PolicyRedis {
    static final RedisProcess PROCESS = RedisProcess.start();
    private static final RedisClient CLIENT = RedisClient.create(PROCESS.uri());
    private static final StatefulRedisConnection<byte[], byte[]> CONNECTION = CLIENT.connect(ByteArrayCodec.INSTANCE);

    private PolicyRedis() {}

    /** A store with its own key prefix, on this clock; it need not be closed. */
    static RedisStore store(TimeSource time) {
        return patient().connection(CONNECTION).virtualTime(time).build();
    }

    /** A store with this prefix, which acts as another process. */
    static RedisStore store(TimeSource time, String prefix) {
        return patient().connection(CONNECTION).virtualTime(time).prefix(prefix).build();
    }

    /** A store on real time with its own connection; the caller closes it. */
    static RedisStore store(String prefix) {
        return patient().uri(PROCESS.uri()).prefix(prefix).build();
    }

    /** A builder with its own key prefix, for a store that waits for Redis and does not decide without it. */
    static RedisStore.Builder patient() {
        return RedisStore.builder().prefix(newPrefix()).deadline(Duration.ofSeconds(30));
    }

    static String newPrefix() {
        return "test-" + UUID.randomUUID();
    }
}
