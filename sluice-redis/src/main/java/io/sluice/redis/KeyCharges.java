package io.sluice.redis;

import io.sluice.Charge;
import io.sluice.redis.call.CallServices;
import io.sluice.redis.call.KeyCharge;
import io.sluice.redis.call.LimiterContext;
import io.sluice.redis.limits.VersionedLimits;
import io.sluice.redis.script.KeyNames;
import io.sluice.spi.PolicyCharge;
import io.sluice.spi.Taking;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads the charges of callers: which key of which limiter each of them is on. */
final class KeyCharges {
    private KeyCharges() {}

    /** @throws IllegalArgumentException if a limiter is of another store */
    static List<KeyCharge> of(List<Charge> charges, CallServices store) {
        List<KeyCharge> all = new ArrayList<>(charges.size());
        for (Charge charge : charges) {
            all.add(of(charge, store));
        }
        return all;
    }

    /**
     * Reads charges that use permits up.
     *
     * @throws IllegalStateException if permits of a concurrency limit are charged, because those are held
     */
    static List<KeyCharge> used(List<Charge> charges, CallServices store) {
        List<KeyCharge> all = of(charges, store);
        for (KeyCharge charge : all) {
            if (charge.permits() > 0 && charge.holds()) {
                throw new IllegalStateException(
                        "charge on limiter \"" + charge.limiter().name() + "\", key \"" + charge.key()
                                + "\": takes permits of " + charge.limits()
                                + " (expected: enter, because the permits of such a limit are held and given back)");
            }
        }
        return all;
    }

    /** A charge for 0 permits. */
    static KeyCharge look(LimiterContext limiter, String key, long kept) {
        return new KeyCharge(limiter, key, 0, kept, false, Taking.IF_ADMITTED, null, null);
    }

    private static KeyCharge of(Charge charge, CallServices store) {
        if (charge.limiter() instanceof RedisLimiter limiter
                && limiter.context().isOf(store)) {
            return of(charge, limiter.context(), charge.key(), null);
        } else if (charge.limiter() instanceof RedisCallLimiter calls && calls.context.isOf(store)) {
            VersionedLimits callLimit = charge.limit() == null ? null : calls.versions(charge.limit());
            return of(charge, calls.context, KeyNames.shortened(charge.key()), callLimit);
        }
        throw new IllegalArgumentException("charge on limiter \""
                + charge.limiter().name() + "\": of another store (expected: one of this store)");
    }

    private static KeyCharge of(
            Charge charge, LimiterContext limiter, String key, @Nullable VersionedLimits callLimit) {
        return new KeyCharge(
                limiter,
                key,
                charge.permits(),
                PolicyCharge.kept(charge),
                PolicyCharge.isShadow(charge),
                PolicyCharge.taking(charge),
                PolicyCharge.expected(charge),
                callLimit);
    }
}
