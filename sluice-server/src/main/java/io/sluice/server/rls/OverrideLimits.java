package io.sluice.server.rls;

import io.sluice.CallLimiter;
import io.sluice.Charge;
import io.sluice.Limit;
import io.sluice.server.decide.MaxCallPeriod;
import io.sluice.server.rls.proto.RateLimitDescriptor;

/*
 * If the number of a descriptor's limit changes, its count continues. The unit is part of the key, so that the same entries can have
 * a limit per minute and a limit per hour at the same time.
 */
/** Makes charges for the limits that come with descriptors. The key is the domain, the entries and the unit. */
final class OverrideLimits {
    private final CallLimiter limiter;
    private final MaxCallPeriod maxPeriod;

    OverrideLimits(CallLimiter limiter, MaxCallPeriod maxPeriod) {
        this.limiter = limiter;
        this.maxPeriod = maxPeriod;
    }

    /** @param index the index of the descriptor in its call, for errors */
    Charge charge(String domain, int index, RateLimitDescriptor descriptor, long hits) {
        Limit limit = RateLimitUnits.limit(index, descriptor.getLimit(), maxPeriod);
        return limiter.charge(key(domain, descriptor), hits, limit);
    }

    /** Different descriptors have different keys, because each text is preceded by its length. */
    private static String key(String domain, RateLimitDescriptor descriptor) {
        StringBuilder key = new StringBuilder();
        key.append(descriptor.getLimit().getUnitValue()).append(' ');
        append(key, domain);
        for (RateLimitDescriptor.Entry entry : descriptor.getEntriesList()) {
            append(key, entry.getKey());
            append(key, entry.getValue());
        }
        return key.toString();
    }

    private static void append(StringBuilder key, String text) {
        key.append(text.length()).append(':').append(text);
    }
}
