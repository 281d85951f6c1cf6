package io.sluice.policy.lint;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.re2j.Pattern;
import io.sluice.policy.Cidr;
import io.sluice.policy.Condition;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ConditionLogicTest {
    private static final List<String> VALUES = values();

    private static List<String> values() {
        List<String> values = new ArrayList<>(List.of("10.0.0.1", "10.1.2.3", "11.0.0.1", "::1", "\n"));
        for (String a : List.of("", "a", "b", "/")) {
            for (String b : List.of("", "a", "b", "/")) {
                for (String c : List.of("", "a", "/")) {
                    values.add(a + b + c);
                }
            }
        }
        return values;
    }

    /** The literal meaning of a condition. */
    private static boolean satisfies(Condition condition, String value) {
        if (condition instanceof Condition.Exact exact) {
            return exact.text().equals(value);
        } else if (condition instanceof Condition.Glob glob) {
            return globMatches(glob.pattern(), value);
        } else if (condition instanceof Condition.AnyOf any) {
            return any.conditions().stream().anyMatch(each -> satisfies(each, value));
        } else if (condition instanceof Condition.Not not) {
            return !satisfies(not.condition(), value);
        } else if (condition instanceof Condition.Regex regex) {
            return regex.pattern().matches(value);
        }
        String network = ((Condition.InCidr) condition).network().toString();
        return value.startsWith(network.equals("10.0.0.0/8") ? "10." : "10.1.");
    }

    private static boolean globMatches(String glob, String value) {
        if (glob.isEmpty()) {
            return value.isEmpty();
        } else if (glob.startsWith("*")) {
            boolean crosses = glob.startsWith("**");
            String rest = glob.substring(crosses ? 2 : 1);
            return globMatches(rest, value)
                    || (!value.isEmpty()
                            && (crosses || value.charAt(0) != '/')
                            && globMatches(glob, value.substring(1)));
        }
        return !value.isEmpty()
                && value.charAt(0) == glob.charAt(0)
                && globMatches(glob.substring(1), value.substring(1));
    }

    private static Condition random(Random random, int depth) {
        return switch (random.nextInt(depth == 0 ? 5 : 8)) {
            case 0, 1 -> new Condition.Exact(VALUES.get(random.nextInt(VALUES.size())));
            case 2 ->
                new Condition.Glob(List.of("*", "**", "a*", "*a", "a**", "/**", "/a/**", "**/a", "*b*", "a/*", "***")
                        .get(random.nextInt(11)));
            case 3 ->
                new Condition.Regex(
                        Pattern.compile(List.of("a+", ".*", "[ab]?/a", "").get(random.nextInt(4))));
            case 4 -> new Condition.InCidr(Cidr.parse(random.nextBoolean() ? "10.0.0.0/8" : "10.1.0.0/16"));
            case 5 -> new Condition.Not(random(random, depth - 1));
            default ->
                new Condition.AnyOf(
                        List.of(random(random, depth - 1), random(random, depth - 1), random(random, depth - 1)));
        };
    }

    @Test
    void logic_randomConditions_isNeverWrong() {
        int known = 0;
        for (long seed = 0; seed < 20_000; seed++) {
            Random random = new Random(seed);
            Condition a = random(random, 2);
            Condition b = random(random, 2);
            ConditionLogic logic = new ConditionLogic();
            String what = "seed " + seed + ": " + a + " and " + b;
            if (logic.implies(a, b)) {
                known++;
                assertThat(VALUES).as(what).allMatch(value -> !satisfies(a, value) || satisfies(b, value));
            }
            if (logic.excludes(a, b)) {
                known++;
                assertThat(VALUES).as(what).noneMatch(value -> satisfies(a, value) && satisfies(b, value));
            }
            if (logic.isAlwaysTrue(a)) {
                assertThat(VALUES).as(what).allMatch(value -> satisfies(a, value));
            }
            if (logic.isNeverTrue(a)) {
                assertThat(VALUES).as(what).noneMatch(value -> satisfies(a, value));
            }
        }
        assertThat(known).isGreaterThan(4000);
    }

    @Test
    void logic_exactValues_provesEverything() {
        for (long seed = 0; seed < 20_000; seed++) {
            Random random = new Random(seed);
            Condition a = new Condition.Exact(VALUES.get(random.nextInt(VALUES.size())));
            Condition b = random(random, 2);
            ConditionLogic logic = new ConditionLogic();
            assertThat(logic.implies(a, b)).as("seed %s: %s and %s", seed, a, b).isNotEqualTo(logic.excludes(a, b));
        }
    }

    @Test
    void logic_stepsUsedUp_provesNothing() {
        ConditionLogic logic = new ConditionLogic();
        Condition a = new Condition.Exact("a");
        assertThat(logic.implies(a, a)).isTrue();
        assertThat(logic.useSteps(Long.MAX_VALUE / 2)).isFalse();
        assertThat(logic.implies(a, a)).isFalse();
        assertThat(logic.excludes(a, new Condition.Exact("b"))).isFalse();
    }
}
