package io.sluice.policy.lint;

import io.sluice.policy.Condition;
import io.sluice.policy.LimitOverride;
import io.sluice.policy.Match;
import io.sluice.policy.Policy;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/*
 * An override is shadowed if its match, together with the policy's, implies the match of one before it. To compare each
 * with each would be quadratic in a list of thousands of tenants. But what implies "tenant is one of these" must itself
 * say which tenants: so those before are found by one of the values that they list, the one that the fewest others list.
 * Those that list none, as globs, are compared one by one.
 */
/** Finds overrides that never apply, because one before them matches whatever they do. */
final class UnreachableOverrides {
    private final Policy policy;
    private final ConditionLogic logic;
    private final Map<Listed, Integer> frequencies = new HashMap<>();
    private final Map<Listed, List<Integer>> listing = new HashMap<>();
    private final List<Integer> others = new ArrayList<>();

    private UnreachableOverrides(Policy policy, ConditionLogic logic) {
        this.policy = policy;
        this.logic = logic;
    }

    /** The index of each such override, and of one that is in its way. */
    static Map<Integer, Integer> of(Policy policy, ConditionLogic logic) {
        return new UnreachableOverrides(policy, logic).shadowed();
    }

    private Map<Integer, Integer> shadowed() {
        List<LimitOverride> overrides = policy.overrides();
        overrides.forEach(override -> override.match().conditions().forEach((attribute, condition) -> {
            for (String text : texts(condition)) {
                frequencies.merge(new Listed(attribute, text), 1, Integer::sum);
            }
        }));
        Map<Integer, Integer> shadowed = new TreeMap<>();
        for (int i = 0; i < overrides.size(); i++) {
            Match match = overrides.get(i).match();
            if (match.conditions().values().stream().anyMatch(logic::isNever)) {
                continue;
            }
            Integer by = before(match);
            if (by == null) {
                // What a shadowed one would be in the way of, the one before it is, too.
                remember(match, i);
            } else {
                shadowed.put(i, by);
            }
        }
        return shadowed;
    }

    private @Nullable Integer before(Match match) {
        Integer found = implied(match, others);
        for (Match given : List.of(match, policy.match())) {
            for (Map.Entry<String, Condition> condition : given.conditions().entrySet()) {
                if (found != null || !logic.spend(1)) {
                    return found;
                }
                Set<String> texts = texts(condition.getValue());
                if (!texts.isEmpty()) {
                    // Whatever is implied lists them all: any one will do.
                    Listed any = new Listed(condition.getKey(), texts.iterator().next());
                    found = implied(match, listing.getOrDefault(any, List.of()));
                }
            }
        }
        return found;
    }

    private @Nullable Integer implied(Match match, List<Integer> candidates) {
        for (Integer candidate : candidates) {
            if (!logic.spend(1)) {
                return null;
            }
            Match earlier = policy.overrides().get(candidate).match();
            if (logic.implies(match, policy.match(), earlier)) {
                return candidate;
            }
        }
        return null;
    }

    private void remember(Match match, int index) {
        String rarest = null;
        int least = Integer.MAX_VALUE;
        for (Map.Entry<String, Condition> condition : match.conditions().entrySet()) {
            int frequency = frequency(condition.getKey(), texts(condition.getValue()));
            if (frequency < least) {
                least = frequency;
                rarest = condition.getKey();
            }
        }
        Condition condition = rarest == null ? null : match.conditions().get(rarest);
        if (rarest == null || condition == null) {
            others.add(index);
            return;
        }
        for (String text : texts(condition)) {
            listing.computeIfAbsent(new Listed(rarest, text), any -> new ArrayList<>())
                    .add(index);
        }
    }

    /** How often the most frequent of them is listed; none are not to be found at all. */
    private int frequency(String attribute, Set<String> texts) {
        return texts.stream()
                .mapToInt(text -> frequencies.getOrDefault(new Listed(attribute, text), 0))
                .max()
                .orElse(Integer.MAX_VALUE);
    }

    private Set<String> texts(Condition condition) {
        Set<String> texts = logic.texts(condition);
        return texts == null ? Set.of() : texts;
    }

    /** A value that a match lists for an attribute. */
    private record Listed(String attribute, String text) {}
}
