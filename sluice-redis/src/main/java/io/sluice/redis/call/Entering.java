package io.sluice.redis.call;

import io.sluice.redis.limits.VersionedLimits;
import io.sluice.redis.script.Bytes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/*
 * All holds of one request have the same id, so that the request has one text. If several of its charges are on one key, that
 * key has as many holds, whose ids count up.
 */
/** The holds that the charges of one request make. */
final class Entering {
    private final long id = HoldIds.next();

    /** How many charges ask a key for permits. */
    private final Map<CalledKey, Integer> counts = new HashMap<>();

    Entering(List<KeyCharge> charges) {
        for (KeyCharge charge : charges) {
            if (charge.permits() > 0) {
                counts.merge(charge.calledKey(), 1, Integer::sum);
            }
        }
    }

    /** How many permits of a concurrency limit a key holds if the request is allowed. */
    int count(KeyCharge charge) {
        return counts.getOrDefault(charge.calledKey(), 0);
    }

    /** Whether a charge is like the call of a limiter. */
    boolean isSingle(KeyCharge charge) {
        return count(charge) == 1;
    }

    /** Encodes the arguments of the request that names the holds of the next one; {@code main.lua} describes it. */
    void encode(Bytes bytes, List<KeyCharge> charges) {
        bytes.number(id, 8);
        charges.forEach(charge -> bytes.number(Math.min(255, count(charge)), 1));
    }

    /** The ids of the holds of a key. */
    List<Long> ids(KeyCharge charge) {
        List<Long> ids = new ArrayList<>();
        for (int i = 0; i < Math.min(255, count(charge)); i++) {
            ids.add(i == 0 ? id : HoldIds.nth(id, i));
        }
        return ids;
    }

    /** The holds of a charge by these limits; none without concurrency limits. */
    List<Hold> holds(KeyCharge charge, VersionedLimits limits) {
        return limits.holds
                ? ids(charge).stream()
                        .map(each -> new Hold(charge.limiter(), charge.key(), each))
                        .toList()
                : List.of();
    }
}
