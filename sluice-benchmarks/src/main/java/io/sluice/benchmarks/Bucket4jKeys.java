package io.sluice.benchmarks;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.github.bucket4j.Bucket;

/** Many keys as Bucket4j's buckets in a Caffeine cache, each used once already. */
final class Bucket4jKeys {
    private final Cache<String, Bucket> buckets =
            Caffeine.newBuilder().maximumSize(ManyKeys.MAX).build();

    Bucket4jKeys(String[] keys) {
        for (String key : keys) {
            Expect.admitted(tryAcquire(key));
        }
    }

    boolean tryAcquire(String key) {
        return buckets.get(key, unused -> Bucket4jPeer.bucket(ManyKeys.BURST, ManyKeys.PERMITS, Rates.DAY))
                .tryConsume(1);
    }
}
