package io.sluice.policy;

import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import io.sluice.TimeSource;
import io.sluice.redis.RedisStore;
import io.sluice.testkit.redis.RedisProcess;
import java.time.Duration;
import java.util.UUID;

/** One Redis for all tests of this JVM that only need one; it ends with the JVM. */
final class PolicyRedis {
    static final RedisProcess PROCESS = RedisProcess.start();
    private static final RedisClient CLIENT = RedisClient.create(PROCESS.uri());
    private static final StatefulRedisConnection<byte[], byte[]> CONNECTION = CLIENT.connect(ByteArrayCodec.INSTANCE);

    private PolicyRedis() {}

    /** A store with a prefix of its own, for decisions by this time; it needs no closing. */
    static RedisStore store(TimeSource time) {
        return patient().connection(CONNECTION).virtualTime(time).build();
    }

    /** The same, with that prefix: another process, so to speak. */
    static RedisStore store(TimeSource time, String prefix) {
        return patient().connection(CONNECTION).virtualTime(time).prefix(prefix).build();
    }

    /** A store on real time and a connection of its own; to be closed. */
    static RedisStore store(String prefix) {
        return patient().uri(PROCESS.uri()).prefix(prefix).build();
    }

    /** A builder with a prefix of its own, for a store that waits for Redis rather than to decide without it. */
    static RedisStore.Builder patient() {
        return RedisStore.builder().prefix(newPrefix()).deadline(Duration.ofSeconds(30));
    }

    static String newPrefix() {
        return "test-" + UUID.randomUUID();
    }
}
