package io.sluice.policy.lint;

import io.sluice.Algorithm;
import io.sluice.Blocked;
import io.sluice.Limit;
import io.sluice.Unlimited;
import io.sluice.policy.Charging;
import io.sluice.policy.Condition;
import io.sluice.policy.KeyPart;
import io.sluice.policy.LimitOverride;
import io.sluice.policy.Match;
import io.sluice.policy.Policy;
import io.sluice.policy.Reserve;
import io.sluice.policy.Scope;
import io.sluice.policy.yaml.Located;
import io.sluice.policy.yaml.Problems;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** Warns of suspicious parts of one policy. */
final class PolicyLint {
    /** Attributes that clients choose. A client that changes such a key in every request is not limited. */
    private static final Set<String> CHOSEN_BY_CLIENTS =
            Set.of("path", "uri", "url", "query", "user-agent", "referer", "referrer");

    private final Located<Policy> located;
    private final Policy policy;
    private final ConditionLogic logic;
    private final Problems problems;

    PolicyLint(Located<Policy> located, ConditionLogic logic, Problems problems) {
        this.located = located;
        this.policy = located.value();
        this.logic = logic;
        this.problems = problems;
    }

    void check() {
        warnOfUnsatisfiable(policy.match(), "the policy never applies", "match");
        PathLint.check(located.node(), problems, "match");
        warnOfKeys();
        warnOfLimit(policy.limit(), "limit");
        checkOverrides();
        Reserve reserve = policy.reserve();
        if (reserve != null) {
            checkReserve(reserve);
        }
        if (policy.charge() == Charging.ALWAYS
                && !counts(policy.limit())
                && policy.overrides().stream().noneMatch(each -> counts(each.limit()))) {
            problems.warning(located.at("charge"), "charge: has no effect on a limit that is " + policy.limit());
        }
        if (policy.adapt() != null
                && !adapts(policy.limit())
                && policy.overrides().stream().noneMatch(each -> adapts(each.limit()))) {
            problems.warning(
                    located.at("adapt"),
                    "adapt: has no effect on a limit that is " + policy.limit()
                            + (counts(policy.limit()) ? ", which finds its number itself" : ""));
        }
        if (policy.scope() == Scope.PROCESS && located.has("on-store-failure")) {
            problems.warning(
                    located.at("on-store-failure"),
                    "on-store-failure: has no effect, because a policy of scope process uses no shared store");
        }
    }

    private void warnOfUnsatisfiable(Match match, String consequence, Object... path) {
        for (Map.Entry<String, Condition> condition : match.conditions().entrySet()) {
            if (logic.isNeverTrue(condition.getValue())) {
                problems.warning(
                        located.at(with(path, condition.getKey())),
                        Problems.quoted(condition.getKey()) + ": no value satisfies this, so " + consequence);
            }
        }
    }

    private void warnOfKeys() {
        List<KeyPart> key = policy.key();
        for (int i = 0; i < key.size(); i++) {
            String attribute = key.get(i).attribute();
            Condition bound = policy.match().conditions().get(attribute);
            if (CHOSEN_BY_CLIENTS.contains(attribute.toLowerCase(Locale.ROOT))
                    && (bound == null || logic.texts(bound) == null)) {
                problems.warning(
                        located.at("key", i),
                        "key: " + Problems.quoted(attribute)
                                + " is whatever clients choose, and each value has a bucket of"
                                + " its own (expected: an attribute they cannot choose, or a match that lists its values)");
            }
        }
    }

    private void warnOfLimit(Limit limit, Object... path) {
        String warning = LimitLint.warning(limit);
        if (warning != null) {
            problems.warning(located.at(path), warning);
        }
    }

    private void checkOverrides() {
        List<LimitOverride> overrides = policy.overrides();
        for (int i = 0; i < overrides.size(); i++) {
            Match match = overrides.get(i).match();
            warnOfUnsatisfiable(match, "the override never applies", "overrides", i, "match");
            PathLint.check(located.node(), problems, "overrides", i, "match");
            warnOfLimit(overrides.get(i).limit(), "overrides", i, "limit");
            warnOfContradiction(match, "the override never applies", "overrides", i, "match");
        }
        UnreachableOverrides.of(policy, logic)
                .forEach((shadowed, by) -> problems.warning(
                        located.at("overrides", shadowed, "match"),
                        "match: the override in line "
                                + located.at("overrides", by).line()
                                + " comes first and matches all requests of this one, so this one never applies"));
    }

    private void warnOfContradiction(Match match, String consequence, Object... path) {
        for (Map.Entry<String, Condition> asked : match.conditions().entrySet()) {
            Condition own = policy.match().conditions().get(asked.getKey());
            if (own != null
                    && !logic.isNeverTrue(own)
                    && !logic.isNeverTrue(asked.getValue())
                    && logic.excludes(asked.getValue(), own)) {
                problems.warning(
                        located.at(with(path, asked.getKey())),
                        Problems.quoted(asked.getKey()) + ": contradicts the policy's own match in line "
                                + located.at("match", asked.getKey()).line() + ", so " + consequence);
            }
        }
    }

    private void checkReserve(Reserve reserve) {
        warnOfUnsatisfiable(reserve.match(), "no request can use the kept share", "reserve", "for");
        PathLint.check(located.node(), problems, "reserve", "for");
        warnOfContradiction(reserve.match(), "no request can use the kept share", "reserve", "for");
        if (logic.implies(policy.match(), Match.ALL, reserve.match())) {
            problems.warning(
                    located.at("reserve", "for"),
                    "for: matches every request of the policy, so the share is kept from no request");
            return;
        }
        if (!counts(policy.limit()) && policy.overrides().stream().noneMatch(each -> counts(each.limit()))) {
            problems.warning(located.at("reserve"), "reserve: has no effect on a limit that is " + policy.limit());
            return;
        }
        warnOfFullReserve(reserve, policy.limit(), "reserve", "share");
        for (int i = 0; i < policy.overrides().size(); i++) {
            warnOfFullReserve(reserve, policy.overrides().get(i).limit(), "overrides", i, "limit");
        }
    }

    private void warnOfFullReserve(Reserve reserve, Limit limit, Object... path) {
        if (counts(limit) && reserve.permitsOf(limit) >= limit.capacity()) {
            problems.warning(
                    located.at(path),
                    "share: " + reserve.percent().toPlainString() + "% of " + limit.capacity()
                            + ", rounded up, is the whole limit, so only requests that match \"for\" are allowed");
        }
    }

    private static boolean counts(Limit limit) {
        return !(limit instanceof Unlimited || limit instanceof Blocked);
    }

    /** Whether a factor changes the limit. */
    private static boolean adapts(Limit limit) {
        return counts(limit) && limit.algorithm() != Algorithm.ADAPTIVE_CONCURRENCY;
    }

    private static Object[] with(Object[] path, Object step) {
        Object[] longer = Arrays.copyOf(path, path.length + 1);
        longer[path.length] = step;
        return longer;
    }
}
