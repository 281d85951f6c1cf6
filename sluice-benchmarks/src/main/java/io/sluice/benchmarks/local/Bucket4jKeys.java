package io.sluice.benchmarks.local;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.github.bucket4j.Bucket;
import io.sluice.benchmarks.common.Expect;

/** Many Bucket4j buckets in a Caffeine cache. Each bucket was used once. */
final class Bucket4jKeys {
    private final Cache<String, Bucket> buckets =
            Caffeine.newBuilder().maximumSize(ManyKeys.MAX).build();

    Bucket4jKeys(String[] keys) {
        for (String key : keys) {
            Expect.admitted(tryAcquire(key));
        }
    }

    boolean tryAcquire(String key) {
        return buckets.get(key, unused -> Bucket4jPeer.bucket(ManyKeys.BURST, ManyKeys.PERMITS, BenchmarkLimits.DAY))
                .tryConsume(1);
    }
}
