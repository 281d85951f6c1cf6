package io.sluice.benchmarks.redis;

import io.github.bucket4j.Bucket;
import io.github.bucket4j.BucketConfiguration;
import io.github.bucket4j.distributed.proxy.ProxyManager;
import io.github.bucket4j.redis.lettuce.Bucket4jLettuce;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.codec.RedisCodec;
import io.lettuce.core.codec.StringCodec;
import io.sluice.benchmarks.common.Expect;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Bucket4j on Lettuce with compare-and-swap; all threads share one connection. */
final class Bucket4jLibrary implements Library {
    private final ProxyManager<String> manager;
    private final List<String> used = new ArrayList<>();

    Bucket4jLibrary(Redis redis) {
        RedisCodec<String, byte[]> codec = RedisCodec.of(StringCodec.UTF8, ByteArrayCodec.INSTANCE);
        manager = Bucket4jLettuce.casBasedBuilder(redis.client().connect(codec)).build();
    }

    @Override
    public String who() {
        return "Bucket4j";
    }

    @Override
    public Call taking(List<String> keys) {
        List<Bucket> all = keys.stream()
                .map(key -> bucket(key, Limits.PLENTY, Limits.PLENTY_PERIOD))
                .toList();
        return () -> Expect.admitted(Library.any(all).tryConsume(1));
    }

    @Override
    public Call denied(String key) {
        Bucket bucket = bucket(key, 1, Limits.SCARCE_PERIOD);
        Expect.admitted(bucket.tryConsume(1));
        return () -> Expect.denied(bucket.tryConsume(1));
    }

    private Bucket bucket(String key, long permits, Duration period) {
        BucketConfiguration configuration = BucketConfiguration.builder()
                .addLimit(limit -> limit.capacity(permits).refillGreedy(permits, period))
                .build();
        used.add(key);
        return manager.builder().build(key, () -> configuration);
    }

    @Override
    public void close() {
        used.forEach(manager::removeProxy);
    }
}
