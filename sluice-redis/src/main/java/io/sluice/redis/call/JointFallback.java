package io.sluice.redis.call;

import io.sluice.Decision;
import io.sluice.OnFailure;
import io.sluice.redis.script.Verb;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Decides charges together while Redis does not answer. Each limiter answers as its {@link OnFailure} says. */
final class JointFallback {
    private final Map<CalledKey, KeyCharge> charges;
    private final LocalShares localShares;

    /** Each limiter's fallback is read once, because a reload may replace it. */
    private final Map<CalledKey, Fallback> fallbacks = new LinkedHashMap<>();

    JointFallback(Map<CalledKey, KeyCharge> charges, LocalShares localShares) {
        this.charges = charges;
        this.localShares = localShares;
        charges.forEach((key, charge) -> fallbacks.put(key, charge.limiter().fallback()));
    }

    /** The decision on each charge. Local shares are decided together, and taken only if no charge is denied. */
    Map<CalledKey, Decision> decide() {
        boolean denies = fallbacks.entrySet().stream()
                .anyMatch(entry -> entry.getValue().how() == OnFailure.DENY
                        && !Objects.requireNonNull(charges.get(entry.getKey())).shadow());
        List<KeyCharge> local = new ArrayList<>();
        charges.forEach((key, charge) -> {
            if (fallback(key).how() == OnFailure.LOCAL && (!denies || charge.always())) {
                local.add(charge);
            }
        });
        Iterator<Decision> shares = localShares.decide(local).iterator();
        Map<CalledKey, Decision> each = new LinkedHashMap<>();
        charges.forEach((key, charge) -> {
            Fallback fallback = fallback(key);
            if (fallback.how() != OnFailure.LOCAL) {
                each.put(key, fallback.check(charge.key(), charge.permits(), Verb.PEEK, charge.callLimit()));
            } else {
                Decision share = denies && !charge.always() ? localShares.look(charge) : shares.next();
                each.put(key, fallback.answer(share, charge));
            }
        });
        return each;
    }

    /** Gives back the permits of the charges that took some. */
    void refund(Map<CalledKey, Decision> each, boolean allowed) {
        charges.forEach((key, charge) -> {
            if (charge.always()
                    || (allowed && Objects.requireNonNull(each.get(key)).allowed())) {
                fallback(key).refund(charge.key(), charge.permits());
            }
        });
    }

    private Fallback fallback(CalledKey key) {
        return Objects.requireNonNull(fallbacks.get(key));
    }
}
