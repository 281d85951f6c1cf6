package io.sluice.benchmarks.redis;

import io.lettuce.core.RedisURI;
import io.sluice.benchmarks.common.Expect;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.redisson.Redisson;
import org.redisson.api.RRateLimiter;
import org.redisson.api.RateType;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;

/** Redisson's {@code RRateLimiter} with a default client. */
final class RedissonLibrary implements Library {
    /** A short interval, because Redisson keeps an entry for every permit of the interval. */
    private static final Duration PLENTY_PERIOD = Duration.ofSeconds(1);

    private final RedissonClient client;
    private final List<RRateLimiter> limiters = new ArrayList<>();

    RedissonLibrary(Redis redis) {
        client = Redisson.create(config(redis));
    }

    private static Config config(Redis redis) {
        RedisURI uri = redis.parsedUri();
        Config config = new Config();
        config.useSingleServer().setAddress(redis.name()).setDatabase(uri.getDatabase());
        redis.user().ifPresent(config::setUsername);
        redis.password().ifPresent(config::setPassword);
        return config;
    }

    @Override
    public String who() {
        return "Redisson";
    }

    @Override
    public Call taking(List<String> keys) {
        List<RRateLimiter> all = keys.stream()
                .map(key -> limiter(key, Limits.PLENTY, PLENTY_PERIOD))
                .toList();
        return () -> Expect.admitted(Library.any(all).tryAcquire(1));
    }

    @Override
    public Call denied(String key) {
        RRateLimiter limiter = limiter(key, 1, Limits.SCARCE_PERIOD);
        Expect.admitted(limiter.tryAcquire(1));
        return () -> Expect.denied(limiter.tryAcquire(1));
    }

    private RRateLimiter limiter(String key, long permits, Duration period) {
        RRateLimiter limiter = client.getRateLimiter(key);
        limiter.trySetRate(RateType.OVERALL, permits, period);
        limiters.add(limiter);
        return limiter;
    }

    @Override
    public void close() {
        limiters.forEach(RRateLimiter::delete);
        client.shutdown(0, 2, TimeUnit.SECONDS);
    }
}
