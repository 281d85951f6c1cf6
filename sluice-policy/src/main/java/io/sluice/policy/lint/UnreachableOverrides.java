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
 * An override is unreachable if its match, together with the policy's match, implies the match of an earlier override.
 * Comparing all pairs would take quadratic time for a list of thousands of tenants. But a match that implies "tenant is
 * one of these" must itself list tenants. So earlier overrides are looked up by the values that they list, for the
 * attribute whose values the fewest others list. Overrides that list no values, such as globs, are compared one by one.
 */
/** Finds overrides that never apply, because an earlier override matches all their requests. */
final class UnreachableOverrides {
    private final Policy policy;
    private final ConditionLogic logic;
    private final Map<Listed, Integer> frequencies = new HashMap<>();
    private final Map<Listed, List<Integer>> byValue = new HashMap<>();
    private final List<Integer> others = new ArrayList<>();

    private UnreachableOverrides(Policy policy, ConditionLogic logic) {
        this.policy = policy;
        this.logic = logic;
    }

    /** The index of each unreachable override, with the index of the earlier override. */
    static Map<Integer, Integer> of(Policy policy, ConditionLogic logic) {
        return new UnreachableOverrides(policy, logic).find();
    }

    private Map<Integer, Integer> find() {
        List<LimitOverride> overrides = policy.overrides();
        overrides.forEach(override -> override.match().conditions().forEach((attribute, condition) -> {
            for (String text : texts(condition)) {
                frequencies.merge(new Listed(attribute, text), 1, Integer::sum);
            }
        }));
        Map<Integer, Integer> unreachable = new TreeMap<>();
        for (int i = 0; i < overrides.size(); i++) {
            Match match = overrides.get(i).match();
            if (match.conditions().values().stream().anyMatch(logic::isNeverTrue)) {
                continue;
            }
            Integer earlier = earlierOverride(match);
            if (earlier == null) {
                // An unreachable override is not remembered: the earlier override hides the same later ones.
                remember(match, i);
            } else {
                unreachable.put(i, earlier);
            }
        }
        return unreachable;
    }

    private @Nullable Integer earlierOverride(Match match) {
        Integer found = firstImplied(match, others);
        for (Match given : List.of(match, policy.match())) {
            for (Map.Entry<String, Condition> condition : given.conditions().entrySet()) {
                if (found != null || !logic.useSteps(1)) {
                    return found;
                }
                Set<String> texts = texts(condition.getValue());
                if (!texts.isEmpty()) {
                    // An implied match lists all these values: any one of them finds it.
                    Listed any = new Listed(condition.getKey(), texts.iterator().next());
                    found = firstImplied(match, byValue.getOrDefault(any, List.of()));
                }
            }
        }
        return found;
    }

    private @Nullable Integer firstImplied(Match match, List<Integer> candidates) {
        for (Integer candidate : candidates) {
            if (!logic.useSteps(1)) {
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
            byValue.computeIfAbsent(new Listed(rarest, text), any -> new ArrayList<>())
                    .add(index);
        }
    }

    /** How often the most frequent of these values is listed; the maximum if there are none. */
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
