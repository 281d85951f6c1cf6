package io.sluice.policy;

import io.sluice.Blocked;
import io.sluice.Decision;
import io.sluice.Limit;
import io.sluice.Unlimited;
import io.sluice.spi.Taking;
import io.sluice.testkit.ModelCharge;
import io.sluice.testkit.ModelReservation;
import io.sluice.testkit.ReferenceModel;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Decides as the design document describes it, slow and obvious, on the exact reference model. */
final class NaiveEngine {
    /** The owner of state, without the key. */
    private record Owner(String policy, Object override) {}

    private final Map<Owner, ReferenceModel> models = new HashMap<>();
    private final Map<Owner, Limit> inForce = new HashMap<>();
    private List<Policy> policies = List.of();

    /**
     * Used permits stay used, also those of a removed policy that comes back, and of a limit that does not count for a
     * while.
     */
    void replace(Policies next, long micros) {
        policies = next.policies();
        for (Policy policy : policies) {
            if (policy.mode() != Mode.OFF) {
                Map<Owner, Limit> limits = new LinkedHashMap<>();
                policy.overrides().forEach(override -> limits.putIfAbsent(owner(policy, override), override.limit()));
                limits.put(owner(policy, null), policy.limit());
                limits.forEach((owner, limit) -> enforce(owner, limit, micros));
            }
        }
    }

    private void enforce(Owner owner, Limit limit, long micros) {
        if (limit instanceof Unlimited || limit instanceof Blocked) {
            return;
        }
        Limit before = inForce.put(owner, limit);
        if (before == null) {
            models.put(owner, ReferenceModel.of(limit));
        } else if (!before.equals(limit)) {
            model(owner).update(micros, limit);
        }
    }

    private ReferenceModel model(Owner owner) {
        return Objects.requireNonNull(models.get(owner));
    }

    private static Owner owner(Policy policy, @Nullable LimitOverride override) {
        if (override == null) {
            return new Owner(policy.name(), "the policy's own");
        }
        return new Owner(policy.name(), override.name() == null ? override.match() : List.of(override.name()));
    }

    /** A policy that applies to a request, and what it is asked. */
    record Asking(Policy policy, Map<String, String> key, Limit limit, ModelCharge ask) {
        Asking taking(Taking taking) {
            return new Asking(
                    policy,
                    key,
                    limit,
                    new ModelCharge(ask.model(), ask.key(), ask.permits(), ask.kept(), ask.shadow(), taking));
        }

        Asking looking() {
            return new Asking(policy, key, limit, new ModelCharge(ask.model(), ask.key(), 0, ask.kept(), ask.shadow()));
        }
    }

    DecisionSnapshot check(Map<String, String> request, long permits, long micros) {
        return check(List.of(new PolicyRequest(request, permits)), micros).get(0);
    }

    /** Decides all requests together. */
    List<DecisionSnapshot> check(List<PolicyRequest> requests, long micros) {
        return decide(requests.stream().map(request -> asking(request, false)).toList(), micros);
    }

    /** An estimate that was charged: what each policy took, and all policies that apply. */
    record Estimate(DecisionSnapshot decision, List<Asking> asking, Map<ModelCharge, ModelReservation> taken) {}

    /** Charges an estimate. */
    Estimate reserve(PolicyRequest request, long micros) {
        List<Asking> asking = asking(request, false).stream()
                .map(one -> one.ask().taking() == Taking.ALWAYS ? one.taking(Taking.WITH_REQUEST) : one)
                .toList();
        Map<ModelCharge, ModelReservation> taken = new HashMap<>();
        List<Decision> decisions =
                ReferenceModel.reserve(micros, asking.stream().map(Asking::ask).toList(), taken);
        return new Estimate(snapshot(asking, decisions), asking, taken);
    }

    /** Replaces an estimate by what was used, and then looks at every policy that counts. */
    static DecisionSnapshot settle(Estimate estimate, long actual, long micros) {
        estimate.taken().forEach((ask, taken) -> ask.model().settle(taken, actual, micros));
        List<Asking> looking = estimate.asking().stream()
                .filter(one -> !(one.limit() instanceof Unlimited || one.limit() instanceof Blocked))
                .map(Asking::looking)
                .toList();
        return snapshot(
                looking,
                ReferenceModel.decide(micros, looking.stream().map(Asking::ask).toList()));
    }

    private static DecisionSnapshot snapshot(List<Asking> asking, List<Decision> decisions) {
        List<DecisionSnapshot.Result> results = new ArrayList<>();
        for (int i = 0; i < asking.size(); i++) {
            Policy policy = asking.get(i).policy();
            results.add(new DecisionSnapshot.Result(
                    policy.name(), asking.get(i).key(), asking.get(i).limit(), policy.mode(), decisions.get(i)));
        }
        return seen(results);
    }

    /** Charges every policy by force, and then looks. */
    DecisionSnapshot charge(PolicyRequest request, long micros) {
        return decide(List.of(asking(request, true)), micros).get(0);
    }

    private static List<DecisionSnapshot> decide(List<List<Asking>> asking, long micros) {
        List<ModelCharge> asks =
                asking.stream().flatMap(List::stream).map(Asking::ask).toList();
        Iterator<Decision> decisions = ReferenceModel.decide(micros, asks).iterator();
        List<DecisionSnapshot> seen = new ArrayList<>();
        for (List<Asking> each : asking) {
            List<DecisionSnapshot.Result> results = new ArrayList<>();
            for (Asking one : each) {
                Policy policy = one.policy();
                results.add(new DecisionSnapshot.Result(
                        policy.name(), one.key(), one.limit(), policy.mode(), decisions.next()));
            }
            seen.add(seen(results));
        }
        return seen;
    }

    private List<Asking> asking(PolicyRequest asked, boolean byForce) {
        Map<String, String> request = asked.attributes();
        List<Asking> asking = new ArrayList<>();
        for (Policy policy : policies) {
            Map<String, String> key = key(policy, request);
            if (policy.mode() != Mode.OFF && NaiveMatch.matches(policy.match(), request) && key != null) {
                LimitOverride override = policy.overrides().stream()
                        .filter(each -> NaiveMatch.matches(each.match(), request))
                        .findFirst()
                        .orElse(null);
                Limit limit = override == null ? policy.limit() : override.limit();
                boolean counted = !(limit instanceof Unlimited || limit instanceof Blocked);
                ModelCharge ask = new ModelCharge(
                        counted ? model(owner(policy, override)) : ReferenceModel.of(limit),
                        key.toString(),
                        asked.permits(),
                        kept(policy, limit, request),
                        policy.mode() == Mode.SHADOW,
                        byForce ? Taking.FIRST : taking(policy));
                asking.add(new Asking(policy, key, limit, ask));
            }
        }
        return asking;
    }

    private static Taking taking(Policy policy) {
        return policy.charge() == Charging.ALWAYS ? Taking.ALWAYS : Taking.IF_ADMITTED;
    }

    private static DecisionSnapshot seen(List<DecisionSnapshot.Result> results) {
        List<DecisionSnapshot.Result> enforcing =
                results.stream().filter(result -> result.mode() == Mode.ENFORCE).toList();
        List<DecisionSnapshot.Result> refusing = enforcing.stream()
                .filter(result -> !result.decision().allowed())
                .toList();
        long retryAfter = refusing.stream()
                .mapToLong(result -> result.decision().retryAfterMicros())
                .max()
                .orElse(0);
        long delay = enforcing.stream()
                .mapToLong(result -> result.decision().delayMicros())
                .max()
                .orElse(0);
        return new DecisionSnapshot(
                refusing.isEmpty(),
                retryAfter,
                refusing.isEmpty() ? delay : 0,
                refusing.stream().map(DecisionSnapshot.Result::policy).toList(),
                results);
    }

    private static long kept(Policy policy, Limit limit, Map<String, String> request) {
        Reserve reserve = policy.reserve();
        if (reserve == null || limit instanceof Unlimited || NaiveMatch.matches(reserve.match(), request)) {
            return 0;
        }
        BigDecimal whole = BigDecimal.valueOf(limit.capacity());
        return whole.multiply(reserve.percent())
                .movePointLeft(2)
                .setScale(0, RoundingMode.CEILING)
                .longValueExact();
    }

    /** The key of the policy; null if the request lacks an attribute of it. */
    private static @Nullable Map<String, String> key(Policy policy, Map<String, String> request) {
        Map<String, String> key = new LinkedHashMap<>();
        for (KeyPart part : policy.key()) {
            String value = request.get(part.attribute());
            if (value == null) {
                return null;
            }
            key.put(part.toString(), part.prefix() == KeyPart.WHOLE ? value : RandomPolicies.network(value));
        }
        return key;
    }
}
