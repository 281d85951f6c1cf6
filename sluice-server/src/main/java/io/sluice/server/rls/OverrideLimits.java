package io.sluice.server.rls;

import io.sluice.CallLimiter;
import io.sluice.Charge;
import io.sluice.Limit;
import io.sluice.server.decide.CallPeriod;
import io.sluice.server.rls.proto.RateLimitDescriptor;

/*
 * A descriptor whose limit changes its number goes on counting. The unit is part of the key, so that one that comes with a
 * limit per minute and one per hour is counted under both.
 */
/** The limits that come with descriptors, each on a bucket of its domain, entries and unit. */
final class OverrideLimits {
    private final CallLimiter calls;
    private final CallPeriod periods;

    OverrideLimits(CallLimiter calls, CallPeriod periods) {
        this.calls = calls;
        this.periods = periods;
    }

    /** What to charge for a descriptor that brings a limit, at that place in its call. */
    Charge charge(String domain, int place, RateLimitDescriptor descriptor, long hits) {
        Limit limit = Units.limit(place, descriptor.getLimit(), periods);
        return calls.charge(key(domain, descriptor), hits, limit);
    }

    /** No two descriptors share it that are not the same: each text says its length. */
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
