package io.sluice.redis;

import io.sluice.Limit;
import io.sluice.LimiterOptions;
import io.sluice.redis.call.CallServices;
import io.sluice.redis.call.LimiterContext;
import io.sluice.redis.limits.AgreedLimits;
import io.sluice.redis.limits.Config;
import io.sluice.redis.limits.LimitLog;
import io.sluice.redis.limits.VersionedLimits;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

/**
 * Makes the limiters of one store.
 *
 * @param deadlineNanos the deadline of a call
 * @param executor completes asynchronous waits
 */
record LimiterFactory(CallServices services, Config config, LimitLog limitLog, long deadlineNanos, Executor executor) {
    /** @param explicit whether the options were set for this limiter, and are not the defaults of the store */
    RedisLimiter limiter(String name, LimiterOptions options, boolean explicit, List<Limit> limits) {
        return new RedisLimiter(this, name, options, explicit, limits);
    }

    /** A limiter whose limits come with the calls. There is nothing to agree on with Redis. */
    RedisCallLimiter callLimiter(String name, LimiterOptions options) {
        AgreedLimits none = new AgreedLimits(name, options, VersionedLimits.UNSPECIFIED.limits(), adopted -> {});
        none.adopt(VersionedLimits.UNSPECIFIED);
        byte[] keyPrefix = services.names().callKeyPrefix(name);
        return new RedisCallLimiter(new LimiterContext(services, none, keyPrefix, options, true, key -> {}));
    }

    LimiterContext context(
            AgreedLimits agreement, LimiterOptions options, boolean explicit, Consumer<String> gaveBack) {
        byte[] keyPrefix = services.names().keyPrefix(agreement.name());
        return new LimiterContext(services, agreement, keyPrefix, options, explicit, gaveBack);
    }

    /** Other limits of a limiter came into force, or they are known for the first time. */
    void limitsChanged(AgreedLimits agreement, VersionedLimits adopted) {
        services.denials().forgetAll();
        List<Limit> configured = agreement.configured();
        limitLog.following(agreement.name(), configured, adopted.limits(), adopted.inForce.revision());
        services.events().following(agreement.name(), configured, adopted.limits());
        services.coldStart().release();
    }
}
