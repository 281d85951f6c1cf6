package io.sluice.redis.call;

import io.sluice.Decision;
import io.sluice.OnFailure;
import io.sluice.redis.limits.VersionedLimits;
import io.sluice.redis.local.LocalKey;
import io.sluice.redis.script.Verb;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Decides charges together while Redis does not answer. Each limiter answers as its {@link OnFailure} says. */
final class JointFallback {
    private final Map<CalledKey, KeyCharge> charges;
    private final LocalShares localShares;

    /** What the charges hold if they are allowed; null if they hold nothing. */
    private final @Nullable Entering entering;

    /** The holds of the local shares. */
    private final Map<CalledKey, List<Hold>> holds = new LinkedHashMap<>();

    /** Each limiter's fallback is read once, because a reload may replace it. */
    private final Map<CalledKey, Fallback> fallbacks = new LinkedHashMap<>();

    JointFallback(Map<CalledKey, KeyCharge> charges, LocalShares localShares, @Nullable Entering entering) {
        this.charges = charges;
        this.entering = entering;
        this.localShares = localShares;
        charges.forEach((key, charge) -> fallbacks.put(key, charge.limiter().fallback()));
    }

    /** The decision on each charge. Local shares are decided together, and taken only if no charge is denied. */
    Map<CalledKey, Decision> decide() {
        Map<CalledKey, Decision> held = new LinkedHashMap<>();
        boolean denied = fallbacks.entrySet().stream()
                .anyMatch(entry -> entry.getValue().how() == OnFailure.DENY
                        && !Objects.requireNonNull(charges.get(entry.getKey())).shadow());
        boolean full = entering != null && !enter(entering, held, denied);
        boolean denies = denied || full;
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
                Decision hold = held.get(key);
                Decision verdict = hold == null ? share : LocalKey.strictest(List.of(share, hold));
                each.put(key, fallback.answer(verdict, charge));
            }
        });
        boolean allowed = each.entrySet().stream()
                .allMatch(entry -> entry.getValue().allowed()
                        || Objects.requireNonNull(charges.get(entry.getKey())).shadow());
        holds.entrySet().removeIf(entry -> {
            boolean stays =
                    allowed && Objects.requireNonNull(each.get(entry.getKey())).allowed();
            if (!stays) {
                leave(entry.getValue());
            }
            return !stays;
        });
        return each;
    }

    /**
     * Holds permits of the local shares. They are given back afterwards if the request is denied.
     *
     * @param looks whether nothing can be held, because the request is denied anyway
     * @return whether no charge is denied
     */
    private boolean enter(Entering names, Map<CalledKey, Decision> held, boolean looks) {
        boolean all = true;
        for (Map.Entry<CalledKey, KeyCharge> entry : charges.entrySet()) {
            KeyCharge charge = entry.getValue();
            VersionedLimits limits =
                    charge.callLimit() == null ? charge.limiter().versions() : charge.callLimit();
            if (fallback(entry.getKey()).how() == OnFailure.LOCAL && limits.holds) {
                List<Hold> wanted = looks ? List.of() : names.holds(charge, limits);
                Decision decision = fallback(entry.getKey()).hold(charge, wanted, names.count(charge), limits);
                held.put(entry.getKey(), decision);
                if (decision.allowed()) {
                    holds.put(entry.getKey(), wanted);
                }
                all &= decision.allowed() || charge.shadow();
            }
        }
        return all;
    }

    /** What the local shares hold. */
    List<Hold> holds() {
        return holds.values().stream().flatMap(List::stream).toList();
    }

    private static void leave(List<Hold> holds) {
        holds.forEach(hold -> hold.limiter().holds().leave(hold));
    }

    /** Gives back the permits of the charges that took some. */
    void refund(Map<CalledKey, Decision> each, boolean allowed) {
        charges.forEach((key, charge) -> {
            if (charge.always()
                    || (allowed && Objects.requireNonNull(each.get(key)).allowed())) {
                fallback(key).refund(charge.key(), charge.permits());
            }
        });
        leave(holds());
    }

    private Fallback fallback(CalledKey key) {
        return Objects.requireNonNull(fallbacks.get(key));
    }
}
