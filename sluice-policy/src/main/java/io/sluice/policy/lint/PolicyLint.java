package io.sluice.policy.lint;

import io.sluice.Blocked;
import io.sluice.Limit;
import io.sluice.Unlimited;
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

/** Looks for what is suspicious in one policy. */
final class PolicyLint {
    /** Whatever a client sends in these is a key: it can have as many buckets as it likes, and is limited by none. */
    private static final Set<String> CHOSEN_BY_CLIENTS =
            Set.of("path", "uri", "url", "query", "user-agent", "referer", "referrer");

    private final Located<Policy> written;
    private final Policy policy;
    private final ConditionLogic logic;
    private final Problems problems;

    PolicyLint(Located<Policy> written, ConditionLogic logic, Problems problems) {
        this.written = written;
        this.policy = written.value();
        this.logic = logic;
        this.problems = problems;
    }

    void look() {
        warnOfNever(policy.match(), "the policy never applies", "match");
        PathLint.look(written.node(), problems, "match");
        warnOfKeys();
        warnOfLimit(policy.limit(), "limit");
        lookAtOverrides();
        Reserve reserve = policy.reserve();
        if (reserve != null) {
            lookAtReserve(reserve);
        }
        if (policy.scope() == Scope.PROCESS && written.has("on-store-failure")) {
            problems.warning(
                    written.at("on-store-failure"),
                    "on-store-failure: has no effect, because a policy of scope process asks no store");
        }
    }

    private void warnOfNever(Match match, String consequence, Object... path) {
        for (Map.Entry<String, Condition> condition : match.conditions().entrySet()) {
            if (logic.isNever(condition.getValue())) {
                problems.warning(
                        written.at(with(path, condition.getKey())),
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
                        written.at("key", i),
                        "key: " + Problems.quoted(attribute)
                                + " is whatever clients choose, and each value has a bucket of"
                                + " its own (expected: an attribute they cannot choose, or a match that lists its values)");
            }
        }
    }

    private void warnOfLimit(Limit limit, Object... path) {
        String warning = LimitLint.warning(limit);
        if (warning != null) {
            problems.warning(written.at(path), warning);
        }
    }

    private void lookAtOverrides() {
        List<LimitOverride> overrides = policy.overrides();
        for (int i = 0; i < overrides.size(); i++) {
            Match match = overrides.get(i).match();
            warnOfNever(match, "the override never applies", "overrides", i, "match");
            PathLint.look(written.node(), problems, "overrides", i, "match");
            warnOfLimit(overrides.get(i).limit(), "overrides", i, "limit");
            warnOfContradiction(match, "the override never applies", "overrides", i, "match");
        }
        UnreachableOverrides.of(policy, logic)
                .forEach((shadowed, by) -> problems.warning(
                        written.at("overrides", shadowed, "match"),
                        "match: the override in line "
                                + written.at("overrides", by).line()
                                + " comes first and matches whatever this one does, so this one never applies"));
    }

    private void warnOfContradiction(Match match, String consequence, Object... path) {
        for (Map.Entry<String, Condition> asked : match.conditions().entrySet()) {
            Condition own = policy.match().conditions().get(asked.getKey());
            if (own != null
                    && !logic.isNever(own)
                    && !logic.isNever(asked.getValue())
                    && logic.excludes(asked.getValue(), own)) {
                problems.warning(
                        written.at(with(path, asked.getKey())),
                        Problems.quoted(asked.getKey()) + ": contradicts the policy's own match in line "
                                + written.at("match", asked.getKey()).line() + ", so " + consequence);
            }
        }
    }

    private void lookAtReserve(Reserve reserve) {
        warnOfNever(reserve.match(), "the share is kept for nobody", "reserve", "for");
        PathLint.look(written.node(), problems, "reserve", "for");
        warnOfContradiction(reserve.match(), "the share is kept for nobody", "reserve", "for");
        if (logic.implies(policy.match(), Match.ALL, reserve.match())) {
            problems.warning(
                    written.at("reserve", "for"),
                    "for: matches every request of the policy, so the share is kept from nobody");
            return;
        }
        if (!counts(policy.limit()) && policy.overrides().stream().noneMatch(each -> counts(each.limit()))) {
            problems.warning(written.at("reserve"), "reserve: has no effect on a limit that is " + policy.limit());
            return;
        }
        warnOfWhole(reserve, policy.limit(), "reserve", "share");
        for (int i = 0; i < policy.overrides().size(); i++) {
            warnOfWhole(reserve, policy.overrides().get(i).limit(), "overrides", i, "limit");
        }
    }

    private void warnOfWhole(Reserve reserve, Limit limit, Object... path) {
        if (counts(limit) && reserve.permitsOf(limit) >= limit.capacity()) {
            problems.warning(
                    written.at(path),
                    "share: " + reserve.percent().toPlainString() + "% of " + limit.capacity()
                            + ", rounded up, is all of it, so that only requests that match \"for\" are admitted");
        }
    }

    private static boolean counts(Limit limit) {
        return !(limit instanceof Unlimited || limit instanceof Blocked);
    }

    private static Object[] with(Object[] path, Object step) {
        Object[] longer = Arrays.copyOf(path, path.length + 1);
        longer[path.length] = step;
        return longer;
    }
}
