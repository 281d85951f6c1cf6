package io.sluice.policy.match;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.re2j.Pattern;
import io.sluice.policy.Cidr;
import io.sluice.policy.Condition;
import io.sluice.policy.Match;
import io.sluice.policy.NaiveMatch;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class MatchIndexTest {
    private static final List<String> NAMES = List.of("tenant", "path", "ip", "method");
    private static final String[] TEXTS = {"a", "b", "ab", "acme", "", "x/y"};
    private static final String[] PATHS = {"/", "/a", "/a/", "/a/b", "/ab", "/api", "/api/", "/api/x/y", "/b/a", "a"};
    private static final String[] GLOBS = {
        "*",
        "**",
        "/*",
        "/**",
        "/a/*",
        "/a/**",
        "/api/**",
        "/a*",
        "/ab*",
        "/**/b",
        "/*/b",
        "*a",
        "**a*",
        "/a**/**b",
        "a*",
        "/*/*/y",
        "**/**",
        "/a*b*",
        "***"
    };
    private static final String[] CIDRS = {
        "10.0.0.0/8", "10.1.0.0/16", "0.0.0.0/0", "10.1.2.3", "2001:db8::/32", "2001:db8::/65", "::/0", "::1"
    };
    private static final String[] IPS = {
        "10.1.2.3", "10.2.0.1", "11.0.0.1", "2001:db8::1", "2001:db8:0:0:8000::1", "::1", "fe80::1", "nonsense", ""
    };
    private static final String[] REGEXES = {"a", "a|b", ".*", "/a.*", "[a-c]+", "", "/api/(x|y)/.*"};

    @Test
    void index_randomMatchesAndRequests_agreesWithTheNaiveMatcher() {
        AttributeSlots attributes = new AttributeSlots(NAMES);
        IntList found = new IntList();
        int hits = 0;
        for (int seed = 0; seed < 3_000; seed++) {
            Random random = new Random(seed);
            List<Match> matches = IntStream.range(0, random.nextInt(30))
                    .mapToObj(i -> match(random))
                    .toList();
            MatchIndex index = new MatchIndex(matches, attributes);
            for (int k = 0; k < 20; k++) {
                Map<String, String> request = request(random);
                List<Integer> expected = IntStream.range(0, matches.size())
                        .filter(i -> NaiveMatch.matches(matches.get(i), request))
                        .boxed()
                        .toList();
                hits += expected.size();
                String[] values = attributes.values(request);
                index.all(values, found);
                assertThat(found.toArray())
                        .as("seed %d, %s in %s", seed, request, matches)
                        .containsExactly(
                                expected.stream().mapToInt(Integer::intValue).toArray());
                assertThat(index.first(values))
                        .as("seed %d, first of %s in %s", seed, request, matches)
                        .isEqualTo(expected.isEmpty() ? -1 : expected.get(0));
                for (int i = 0; i < matches.size(); i++) {
                    assertThat(index.match(i).mismatches(values).isEmpty()).isEqualTo(expected.contains(i));
                }
            }
        }
        assertThat(hits).isGreaterThan(50_000);
    }

    private static Match match(Random random) {
        Map<String, Condition> conditions = new HashMap<>();
        for (String name : NAMES) {
            if (random.nextInt(3) == 0) {
                conditions.put(name, condition(random, name, 2));
            }
        }
        return new Match(conditions);
    }

    private static Condition condition(Random random, String name, int depth) {
        int kind = random.nextInt(depth == 0 ? 6 : 9);
        if (kind < 3) {
            return new Condition.Exact(value(random, name));
        } else if (kind == 3) {
            return new Condition.Glob(one(random, GLOBS));
        } else if (kind == 4) {
            return new Condition.Regex(Pattern.compile(one(random, REGEXES)));
        } else if (kind == 5) {
            return new Condition.InCidr(Cidr.parse(one(random, CIDRS)));
        } else if (kind == 6) {
            return new Condition.Not(condition(random, name, depth - 1));
        }
        List<Condition> any = new ArrayList<>();
        for (int i = random.nextInt(4); i > 0; i--) {
            any.add(condition(random, name, depth - 1));
        }
        return new Condition.AnyOf(any);
    }

    private static Map<String, String> request(Random random) {
        Map<String, String> request = new HashMap<>();
        for (String name : NAMES) {
            if (random.nextInt(4) != 0) {
                request.put(name, value(random, name));
            }
        }
        return request;
    }

    private static String value(Random random, String name) {
        return one(random, name.equals("path") ? PATHS : name.equals("ip") ? IPS : TEXTS);
    }

    private static String one(Random random, String[] choices) {
        return choices[random.nextInt(choices.length)];
    }

    @Test
    void path_notNormalised_isMatchedAsServersReadIt() {
        MatchIndex index = index(
                new Match(Map.of("path", new Condition.Exact("/login"))),
                new Match(Map.of("path", new Condition.Exact("/x/../%6Cogin"))),
                new Match(Map.of("path", new Condition.Glob("/log*"))),
                new Match(Map.of("path", new Condition.Regex(Pattern.compile("/login")))),
                new Match(Map.of("path", new Condition.Not(new Condition.Exact("/login")))),
                new Match(Map.of("path", new Condition.Glob("//caf%C3%A9/*"))));
        assertThat(all(index, Map.of("path", "//a/%2e%2e/login?user=x"))).containsExactly(0, 1, 2, 3);
        assertThat(all(index, Map.of("path", "/caf%c3%a9/x"))).containsExactly(4, 5);
    }

    @Test
    void glob_stars_crossSegmentsOrNot() {
        MatchIndex index = index(
                new Match(Map.of("path", new Condition.Glob("/api/**"))),
                new Match(Map.of("path", new Condition.Glob("/api/*"))),
                new Match(Map.of("path", new Condition.Glob("/api/*/orders"))));
        assertThat(all(index, Map.of("path", "/api"))).isEmpty();
        assertThat(all(index, Map.of("path", "/api/"))).containsExactly(0, 1);
        assertThat(all(index, Map.of("path", "/api/x"))).containsExactly(0, 1);
        assertThat(all(index, Map.of("path", "/api/x/y"))).containsExactly(0);
        assertThat(all(index, Map.of("path", "/api/x/orders"))).containsExactly(0, 2);
        assertThat(all(index, Map.of())).isEmpty();
    }

    @Test
    void absentAttribute_satisfiesNothing() {
        MatchIndex index = index(
                new Match(Map.of("tenant", new Condition.Not(new Condition.Exact("acme")))),
                new Match(Map.of("tenant", new Condition.Glob("**"))),
                new Match(Map.of()));
        assertThat(all(index, Map.of())).containsExactly(2);
        assertThat(all(index, Map.of("tenant", ""))).containsExactly(0, 1, 2);
    }

    @Test
    void otherAttribute_isNotNormalised() {
        MatchIndex index = index(new Match(Map.of("uri", new Condition.Exact("/a//b?x"))));
        assertThat(all(index, Map.of("uri", "/a//b?x"))).containsExactly(0);
        assertThat(all(index, Map.of("uri", "/a/b"))).isEmpty();
    }

    @Test
    void mismatches_returnsTheFailedConditions() {
        Match match = new Match(Map.of("path", new Condition.Glob("/api/**"), "tenant", new Condition.Exact("acme")));
        AttributeSlots attributes = new AttributeSlots(List.of("path", "tenant"));
        CompiledMatch matcher = new CompiledMatch(match, attributes);
        assertThat(matcher.mismatches(attributes.values(Map.of("path", "/login", "tenant", "x"))))
                .extracting(Mismatch::toString)
                .containsExactly("path is \"/login\" (expected: \"/api/**\")", "tenant is \"x\" (expected: \"acme\")");
        assertThat(matcher.mismatches(attributes.values(Map.of("path", "/api/x"))))
                .containsExactly(new Mismatch("tenant", new Condition.Exact("acme"), null))
                .extracting(Mismatch::toString)
                .containsExactly("tenant is absent (expected: \"acme\")");
        assertThat(matcher.mismatches(attributes.values(Map.of("path", "/api/x", "tenant", "acme"))))
                .isEmpty();
    }

    /** Counts the tested matches, not the time: of ten thousand, at most those that could hold are tested. */
    @Test
    void candidates_manyPoliciesWithOwnTexts_areFew() {
        List<Match> matches = new ArrayList<>();
        for (int i = 0; i < 10_000; i++) {
            matches.add(new Match(Map.of(
                    "method",
                    new Condition.AnyOf(List.of(new Condition.Exact("GET"), new Condition.Exact("POST"))),
                    "path",
                    i % 2 == 0 ? new Condition.Exact("/svc" + i) : new Condition.Glob("/svc" + i + "/**"))));
        }
        AttributeSlots attributes = new AttributeSlots(List.of("method", "path"));
        MatchIndex index = new MatchIndex(matches, attributes);
        assertThat(candidates(index, attributes.values(Map.of("method", "GET", "path", "/svc4"))))
                .isEqualTo(1);
        assertThat(candidates(index, attributes.values(Map.of("method", "GET", "path", "/svc777/x"))))
                .isEqualTo(1);
        assertThat(candidates(index, attributes.values(Map.of("method", "GET", "path", "/other"))))
                .isEqualTo(0);
    }

    private static int candidates(MatchIndex index, String[] values) {
        IntList found = new IntList();
        index.candidates(values, found);
        return found.size();
    }

    private static MatchIndex index(Match... matches) {
        return new MatchIndex(List.of(matches), ATTRIBUTES);
    }

    private static final AttributeSlots ATTRIBUTES = new AttributeSlots(List.of("tenant", "path", "uri"));

    private static int[] all(MatchIndex index, Map<String, String> request) {
        IntList found = new IntList();
        index.all(ATTRIBUTES.values(request), found);
        return found.toArray();
    }
}
