package io.sluice.policy;

import static io.sluice.policy.PolicyFileAssertions.assertRefused;
import static io.sluice.policy.PolicyFileAssertions.policy;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.re2j.Pattern;
import io.sluice.Limit;
import io.sluice.OnFailure;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PolicyFileTest {
    /** The example of the design document. */
    static final String EXAMPLE = """
            version: 1
            policies:
              - name: global
                limit: 10000/s burst 20000
              - name: per-tenant
                match: { path: "/api/**" }         # every condition must hold; an absent attribute does not match
                key: [tenant]                      # one bucket per value; a request without the attribute is not charged here
                limit: token-bucket 600/min burst 100
                overrides:                         # first that matches
                  - { match: { tenant: acme }, limit: 6000/min burst 1000 }
                  - { match: { tenant: ops }, limit: unlimited }
                reserve: { share: 20%, for: { priority: critical } }   # the last fifth is for critical requests
              - name: login
                match: { path: /login, method: [POST, PUT], ip: { not-cidr: 10.0.0.0/8 } }
                key: [ip]
                limit: sliding-log 5 per 1m lockout 5m
                on-store-failure: deny             # allow (default) | deny | local
                mode: enforce                      # enforce (default) | shadow | off
                scope: shared                      # shared by all processes (default) | process: each process has its own
            """;

    private static Policy one(String... fields) {
        return Policies.parse(policy(fields), "test.yaml").policies().get(0);
    }

    private static Condition condition(String value) {
        Match match = one("limit: 5/s", "match: { a: " + value + " }").match();
        return Objects.requireNonNull(match.conditions().get("a"));
    }

    private static Match match(String attribute, String text) {
        return new Match(Map.of(attribute, new Condition.Exact(text)));
    }

    @Test
    void example_ofTheDesign_isRead() {
        Policies policies = Policies.parse(EXAMPLE, "test.yaml");
        assertThat(policies.warnings()).isEmpty();
        assertThat(policies.alerts()).isEmpty();
        assertThat(policies.policies())
                .containsExactly(
                        new Policy(
                                "global",
                                Match.ALL,
                                List.of(),
                                Limit.parse("10000/s burst 20000"),
                                List.of(),
                                null,
                                Mode.ENFORCE,
                                OnFailure.ALLOW,
                                Scope.SHARED),
                        new Policy(
                                "per-tenant",
                                new Match(Map.of("path", new Condition.Glob("/api/**"))),
                                List.of(new KeyPart("tenant", KeyPart.WHOLE)),
                                Limit.parse("600/min burst 100"),
                                List.of(
                                        new LimitOverride(
                                                null, match("tenant", "acme"), Limit.parse("6000/min burst 1000")),
                                        new LimitOverride(null, match("tenant", "ops"), Limit.unlimited())),
                                new Reserve(new BigDecimal("20"), match("priority", "critical")),
                                Mode.ENFORCE,
                                OnFailure.ALLOW,
                                Scope.SHARED),
                        new Policy(
                                "login",
                                new Match(Map.of(
                                        "path",
                                        new Condition.Exact("/login"),
                                        "method",
                                        new Condition.AnyOf(
                                                List.of(new Condition.Exact("POST"), new Condition.Exact("PUT"))),
                                        "ip",
                                        new Condition.Not(new Condition.InCidr(Cidr.parse("10.0.0.0/8"))))),
                                List.of(new KeyPart("ip", KeyPart.WHOLE)),
                                Limit.parse("sliding-log 5 per 1m lockout 5m"),
                                List.of(),
                                null,
                                Mode.ENFORCE,
                                OnFailure.DENY,
                                Scope.SHARED));
    }

    @Test
    void file_withoutPolicies_isRead() {
        String yaml = "version: 1\npolicies: []\nalerts: []\n";
        assertThat(Policies.parse(yaml, "test.yaml")).isEqualTo(new Policies(List.of(), List.of(), List.of(), yaml));
    }

    @Test
    void file_notAMapping_isRefused() {
        assertRefused("- a\n")
                .containsExactly(
                        "test.yaml:1:1: error: file: a list (expected: a mapping with version, policies, alerts)");
        assertRefused("~\n")
                .containsExactly(
                        "test.yaml:1:1: error: file: nothing (expected: a mapping with version, policies, alerts)");
    }

    @Test
    void file_withoutItsFields_isRefused() {
        assertRefused("alerts: []\n")
                .containsExactly(
                        "test.yaml:1:1: error: version: missing (expected: 1)",
                        "test.yaml:1:1: error: policies: missing (expected: a list of policies, [] for none)");
    }

    @ParameterizedTest
    @ValueSource(strings = {"2", "1.0", "one", "01", "\"\""})
    void version_other_isRefused(String version) {
        String shown = version.startsWith("\"") ? version : '"' + version + '"';
        assertRefused("version: " + version + "\npolicies: []\n")
                .containsExactly("test.yaml:1:10: error: version: " + shown + " (expected: 1)");
    }

    @Test
    void version_ofAnotherKind_isRefused() {
        assertRefused("version: [1]\npolicies: []\n")
                .containsExactly("test.yaml:1:10: error: version: a list (expected: 1)");
        assertRefused("version:\npolicies: []\n")
                .containsExactly("test.yaml:1:9: error: version: nothing (expected: 1)");
    }

    @Test
    void lists_ofAnotherKind_areRefused() {
        assertRefused("version: 1\npolicies: {}\nalerts: none\n")
                .containsExactly(
                        "test.yaml:2:11: error: policies: a mapping (expected: a list of policies, [] for none)",
                        "test.yaml:3:9: error: alerts: \"none\" (expected: a list of alerts)");
        assertRefused("version: 1\npolicies:\n")
                .containsExactly(
                        "test.yaml:2:10: error: policies: nothing (expected: a list of policies, [] for none)");
        assertRefused("version: 1\npolicies: [x]\nalerts: [[]]\n")
                .containsExactly(
                        "test.yaml:2:12: error: policy: \"x\" (expected: a mapping with name, match, key, limit, overrides,"
                                + " reserve, mode, on-store-failure, scope, charge, adapt)",
                        "test.yaml:3:10: error: alert: a list (expected: a mapping with name, when, over, at-least, policy,"
                                + " notify)");
    }

    @Test
    void field_unknown_isRefusedWithASuggestion() {
        String known =
                "(expected: one of name, match, key, limit, overrides, reserve, mode, on-store-failure, scope, charge, adapt";
        assertRefused(policy("limit: 5/s", "overides: []", "colour: red"))
                .containsExactly(
                        "test.yaml:5:5: error: unknown field \"overides\" " + known + "; did you mean overrides?)",
                        "test.yaml:6:5: error: unknown field \"colour\" " + known + ")");
        assertRefused("version: 1\npolicy: []\npolicies: []\n")
                .containsExactly(
                        "test.yaml:2:1: error: unknown field \"policy\" (expected: one of version, policies, alerts)");
        assertRefused(policy("limit: 5/s", "overrides: [{ match: {}, limit: 1/s, limits: 1/s, mode: off }]"))
                .containsExactly(
                        "test.yaml:5:42: error: unknown field \"limits\" (expected: one of name, match, limit; did you mean"
                                + " limit?)",
                        "test.yaml:5:55: error: unknown field \"mode\" (expected: one of name, match, limit)");
        assertRefused(policy("limit: 5/s", "reserve: { share: 5%, For: {} }"))
                .contains(
                        "test.yaml:5:27: error: unknown field \"For\" (expected: one of share, for; did you mean for?)");
    }

    @Test
    void problems_ofAFile_areAllReportedInOrder() {
        assertRefused("""
                        version: 3
                        policies:
                          - limit: 10/fortnight
                            mode: on
                            name: ""
                          - name: b
                            match: { tenant: }
                        alerts:
                          - name: c
                        """)
                .containsExactly(
                        "test.yaml:1:10: error: version: \"3\" (expected: 1)",
                        "test.yaml:3:15: error: limit: \"10/fortnight\": unit \"fortnight\" (expected: one of ms, s, sec,"
                                + " second, m, min, minute, h, hour, d, day, or a duration such as 10s)",
                        "test.yaml:4:11: error: mode: \"on\" (expected: enforce, shadow or off)",
                        "test.yaml:5:11: error: name: \"\" (expected: 1 to 100 printable ASCII characters)",
                        "test.yaml:6:5: error: limit: missing (expected: a limit such as 600/min)",
                        "test.yaml:7:21: error: tenant: nothing (expected: a text, a list, or a mapping with one of regex,"
                                + " cidr, not-cidr, not)",
                        "test.yaml:9:5: error: when: missing (expected: a condition such as denied / total > 30%)");
    }

    @Test
    void name_missing_isRefused() {
        assertRefused("version: 1\npolicies:\n  - limit: 5/s\n")
                .containsExactly("test.yaml:3:5: error: name: missing (expected: a name)");
    }

    @ParameterizedTest
    @CsvSource({"naïve", "\"a\\tb\"", "~", "[a]"})
    void name_notPrintable_isRefused(String name) {
        assertRefused("version: 1\npolicies:\n  - name: " + name + "\n    limit: 5/s\n")
                .singleElement()
                .asString()
                .startsWith("test.yaml:3:11: error: name: ")
                .endsWith(" (expected: 1 to 100 printable ASCII characters)");
    }

    @Test
    void name_long_isRefused() {
        String file = "version: 1\npolicies:\n  - limit: 5/s\n    name: ";
        assertThat(Policies.parse(file + "x".repeat(100), "test.yaml").policies())
                .hasSize(1);
        assertRefused(file + "x".repeat(101))
                .singleElement()
                .asString()
                .endsWith("xxx…\" (expected: 1 to 100 printable ASCII characters)");
    }

    @Test
    void name_duplicate_isRefused() {
        assertRefused("version: 1\npolicies:\n  - { name: a, limit: 5/s }\n  - { name: \"a\", limit: 5/s }\n")
                .containsExactly(
                        "test.yaml:4:13: error: name: \"a\" a second time (expected: every name once; the first is"
                                + " in line 3)");
    }

    @Test
    void name_thatLooksLikeANumber_isText() {
        assertThat(Policies.parse("version: 1\npolicies: [{ name: 200, limit: 5/s }]", "test.yaml")
                        .policies())
                .extracting(Policy::name)
                .containsExactly("200");
    }

    @Test
    void limit_bad_hasThePositionInTheText() {
        String problem = ": error: limit: \"5/s burst x\": \"x\" (expected: a whole number after burst)";
        assertRefused(policy("limit: 5/s burst x")).containsExactly("test.yaml:4:22" + problem);
        assertRefused(policy("limit: \"5/s burst x\"")).containsExactly("test.yaml:4:23" + problem);
        assertRefused(policy("limit: '5/s burst x'  # why")).containsExactly("test.yaml:4:23" + problem);
        assertRefused(policy("{ limit: 5/s burst x }")).hasSize(1);
    }

    @Test
    void limit_badInSeveralLines_hasThePositionOfItsStart() {
        String problem = ": error: limit: \"5/s burst x\": \"x\" (expected: a whole number after burst)";
        assertRefused(policy("limit: 5/s", "  burst x")).containsExactly("test.yaml:4:12" + problem);
        assertRefused(policy("limit: \"5/s \\x62urst x\"")).containsExactly("test.yaml:4:12" + problem);
        assertRefused(policy("limit: &l 5/s burst x")).containsExactly("test.yaml:4:12" + problem);
        assertRefused(policy("limit: >-", "  5/s burst x")).containsExactly("test.yaml:4:12" + problem);
        assertRefused(policy("limit: |", "  5/s", "  burst x"))
                .singleElement()
                .asString()
                .startsWith("test.yaml:4:12: error: limit: \"5/s\\nburst x\\n\": ");
    }

    @Test
    void limit_badAfterWideCharacters_hasAColumnInCodePoints() {
        assertRefused(policy("limit: 5/s 😀😀 x"))
                .singleElement()
                .asString()
                .startsWith("test.yaml:4:16: error: limit: ");
        assertRefused("version: 1\npolicies: [{ name: \"😀\", limit: 5/x }]")
                .last()
                .asString()
                .startsWith("test.yaml:2:34: error: limit: \"5/x\": unit \"x\"");
    }

    @Test
    void limit_ofAnotherKind_isRefused() {
        assertRefused(policy("limit:"))
                .containsExactly("test.yaml:4:11: error: limit: nothing (expected: a limit such as 600/min)");
        assertRefused(policy("limit: [5/s]"))
                .containsExactly("test.yaml:4:12: error: limit: a list (expected: a limit such as 600/min)");
        assertRefused(policy("limit: \"\""))
                .singleElement()
                .asString()
                .startsWith("test.yaml:4:13: error: limit: \"\": nothing");
    }

    @Test
    void limit_tooLargeToBeExact_isRefused() {
        assertRefused(policy("limit: sliding-log 100001 per 1m"))
                .singleElement()
                .asString()
                .startsWith("test.yaml:4:24: error: limit: \"sliding-log 100001 per 1m\": ")
                .contains("sliding-counter");
    }

    @Test
    void key_ofAnyForm_isRead() {
        assertThat(one("limit: 5/s", "key: tenant").key()).containsExactly(new KeyPart("tenant", KeyPart.WHOLE));
        assertThat(one("limit: 5/s", "key: []").key()).isEmpty();
        assertThat(one("limit: 5/s", "key: [tenant, ip/64, ip/0, net/128]").key())
                .containsExactly(
                        new KeyPart("tenant", KeyPart.WHOLE),
                        new KeyPart("ip", 64),
                        new KeyPart("ip", 0),
                        new KeyPart("net", 128));
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"\"", "ip/", "/64", "ip/x", "ip/-1", "ip/064", "a/b/64", "ip/1000", "~", "[a]", "{}"})
    void key_bad_isRefused(String part) {
        assertRefused(policy("limit: 5/s", "key: [" + part + "]"))
                .singleElement()
                .asString()
                .startsWith("test.yaml:5:11: error: key: ")
                .endsWith(" (expected: an attribute such as tenant, or a network such as ip/64)");
    }

    @Test
    void key_prefixTooLong_isRefused() {
        assertRefused(policy("limit: 5/s", "key: ip/129"))
                .containsExactly("test.yaml:5:10: error: key: \"ip/129\" (expected: a prefix of 0 to 128)");
    }

    @Test
    void key_partTwice_isRefused() {
        assertRefused(policy("limit: 5/s", "key: [ip/64, tenant, ip/64]"))
                .containsExactly("test.yaml:5:26: error: key: \"ip/64\" a second time (expected: every part once)");
    }

    @Test
    void key_ofAnotherKind_isRefused() {
        assertRefused(policy("limit: 5/s", "key: { a: b }"))
                .containsExactly(
                        "test.yaml:5:10: error: key: a mapping (expected: an attribute such as tenant, or a network"
                                + " such as ip/64)");
    }

    @Test
    void match_valuesOfEveryForm_areRead() {
        assertThat(condition("x")).isEqualTo(new Condition.Exact("x"));
        assertThat(condition("200")).isEqualTo(new Condition.Exact("200"));
        assertThat(condition("true")).isEqualTo(new Condition.Exact("true"));
        assertThat(condition("off")).isEqualTo(new Condition.Exact("off"));
        assertThat(condition("\"null\"")).isEqualTo(new Condition.Exact("null"));
        assertThat(condition("\"\"")).isEqualTo(new Condition.Exact(""));
        assertThat(condition("a*")).isEqualTo(new Condition.Glob("a*"));
        assertThat(condition("[a, [b*], { not: c }]"))
                .isEqualTo(new Condition.AnyOf(List.of(
                        new Condition.Exact("a"),
                        new Condition.Glob("b*"),
                        new Condition.Not(new Condition.Exact("c")))));
        assertThat(condition("[a]")).isEqualTo(new Condition.Exact("a"));
        assertThat(condition("{ regex: \"a|b\" }")).isEqualTo(new Condition.Regex(Pattern.compile("a|b")));
        Condition ten = new Condition.InCidr(Cidr.parse("10.0.0.0/8"));
        Condition eleven = new Condition.InCidr(Cidr.parse("11.0.0.0/8"));
        assertThat(condition("{ cidr: 10.0.0.0/8 }")).isEqualTo(ten);
        assertThat(condition("{ cidr: [10.0.0.0/8] }")).isEqualTo(ten);
        assertThat(condition("{ cidr: [10.0.0.0/8, 11.0.0.0/8] }"))
                .isEqualTo(new Condition.AnyOf(List.of(ten, eleven)));
        assertThat(condition("{ not-cidr: 10.0.0.0/8 }")).isEqualTo(new Condition.Not(ten));
        assertThat(condition("{ not-cidr: [10.0.0.0/8, 11.0.0.0/8] }"))
                .isEqualTo(new Condition.Not(new Condition.AnyOf(List.of(ten, eleven))));
        assertThat(condition("{ not: [a, { cidr: 10.0.0.0/8 }] }"))
                .isEqualTo(new Condition.Not(new Condition.AnyOf(List.of(new Condition.Exact("a"), ten))));
        assertThat(one("limit: 5/s", "match: {}").match()).isEqualTo(Match.ALL);
    }

    @Test
    void match_ofAnotherKind_isRefused() {
        String expected = " (expected: a mapping of attributes to values, such as { tenant: acme })";
        assertRefused(policy("limit: 5/s", "match: x"))
                .containsExactly("test.yaml:5:12: error: match: \"x\"" + expected);
        assertRefused(policy("limit: 5/s", "match:"))
                .containsExactly("test.yaml:5:11: error: match: nothing" + expected);
    }

    @Test
    void match_emptyAttribute_isRefused() {
        assertRefused(policy("limit: 5/s", "match: { \"\": a }"))
                .containsExactly("test.yaml:5:14: error: match: \"\" (expected: the name of an attribute)");
    }

    @Test
    void match_emptyValues_areRefused() {
        String value = " (expected: a text, a list, or a mapping with one of regex, cidr, not-cidr, not)";
        assertRefused(policy("limit: 5/s", "match: { a: ~, b b: [c, null] }"))
                .containsExactly(
                        "test.yaml:5:17: error: a: nothing" + value, "test.yaml:5:29: error: \"b b\": nothing" + value);
        String empty = " [] (expected: at least one value; an empty list matches nothing)";
        assertRefused(policy("limit: 5/s", "match: { a: [], b: { not: [] }, c: { cidr: [] } }"))
                .containsExactly(
                        "test.yaml:5:17: error: a:" + empty,
                        "test.yaml:5:31: error: not:" + empty,
                        "test.yaml:5:48: error: cidr:" + empty);
    }

    @Test
    void match_mappingOfNotOne_isRefused() {
        assertRefused(policy("limit: 5/s", "match: { a: {}, b: { not: x, regex: y } }"))
                .containsExactly(
                        "test.yaml:5:17: error: a: {} (expected: exactly one of regex, cidr, not-cidr, not)",
                        "test.yaml:5:24: error: b: regex and not (expected: exactly one of regex, cidr, not-cidr, not)");
        assertRefused(policy("limit: 5/s", "match: { a: { regx: y } }"))
                .containsExactly(
                        "test.yaml:5:19: error: unknown field \"regx\" (expected: one of regex, cidr, not-cidr, not;"
                                + " did you mean regex?)");
    }

    @Test
    void regex_bad_isRefused() {
        assertRefused(policy("limit: 5/s", "match: { a: { regex: \"[a\" } }"))
                .containsExactly("test.yaml:5:26: error: regex: \"[a\": missing closing ] \"[a\" (expected: a regular"
                        + " expression of RE2)");
        assertRefused(policy("limit: 5/s", "match: { a: { regex: [a] } }"))
                .containsExactly("test.yaml:5:26: error: regex: a list (expected: a regular expression of RE2)");
        assertRefused(policy("limit: 5/s", "match: { a: { regex: '(?=x)' } }"))
                .singleElement()
                .asString()
                .startsWith("test.yaml:5:26: error: regex: ");
    }

    @Test
    void regex_thatWouldNotFitIntoMemory_isRefused() {
        for (String regex : List.of("((((a{100}){100}){100}){100})", "(".repeat(4000) + ")".repeat(4000))) {
            assertRefused(policy("limit: 5/s", "match: { a: { regex: '" + regex + "' } }"))
                    .singleElement()
                    .asString()
                    .startsWith("test.yaml:5:26: error: regex: ")
                    .endsWith(": too large when its repetitions are expanded, or nested too deeply"
                            + " (expected: at most 50000 steps, and 200 groups deep)");
        }
        assertRefused(policy("limit: 5/s", "match: { a: { regex: " + "a".repeat(10_001) + " } }"))
                .singleElement()
                .asString()
                .endsWith(": 10001 characters (expected: at most 10000)");
    }

    @Test
    void regexes_tooLargeTogether_areRefused() {
        StringBuilder list = new StringBuilder();
        for (int i = 0; i < 100; i++) {
            list.append("{ regex: '(a{100}){100}").append(i).append("' }, ");
        }
        assertRefused(policy("limit: 5/s", "match: { a: [" + list + "] }"))
                .allMatch(
                        problem -> problem.endsWith(
                                ": too large together with the regular expressions before it (expected: at most 1000000 steps in a file)"))
                .hasSizeBetween(1, 99);
    }

    @Test
    void cidr_ofAnotherKind_isRefused() {
        String expected = " (expected: a network such as 10.0.0.0/8, or a list of them)";
        assertRefused(policy("limit: 5/s", "match: { a: { cidr: {} }, b: { not-cidr: [~] } }"))
                .containsExactly(
                        "test.yaml:5:25: error: cidr: a mapping" + expected,
                        "test.yaml:5:47: error: not-cidr: nothing" + expected);
    }

    @Test
    void cidr_bad_isRefused() {
        assertRefused(policy("limit: 5/s", "match: { a: { cidr: [10.0.0.0/8, 10.0.0.0/99] }, b: { not-cidr: x } }"))
                .containsExactly(
                        "test.yaml:5:38: error: cidr: \"10.0.0.0/99\" (expected: a prefix of 0 to 32)",
                        "test.yaml:5:69: error: cidr: \"x\" (expected: a network such as 10.0.0.0/8 or 2001:db8::/32, or an"
                                + " address, without a zone)");
    }

    @Test
    void override_withName_isRead() {
        assertThat(one("limit: 5/s", "overrides: [{ name: big, match: { a: b }, limit: 9/s }]")
                        .overrides())
                .containsExactly(new LimitOverride("big", match("a", "b"), Limit.parse("9/s")));
    }

    @Test
    void override_bad_isRefused() {
        String expectedMatch = " (expected: a mapping of attributes to values, such as { tenant: acme })";
        assertRefused(policy(
                        "limit: 5/s",
                        "overrides:",
                        "  - { limit: 5/s }",
                        "  - { match: {} }",
                        "  - x",
                        "  - { match: [], limit: 5/s }",
                        "  - { name: a, match: { b: c }, limit: 5/s }",
                        "  - { name: a, match: { b: d }, limit: 5/s }",
                        "  - { name: ü, match: { b: e }, limit: 5/s }"))
                .containsExactly(
                        "test.yaml:6:9: error: match: missing" + expectedMatch,
                        "test.yaml:7:9: error: limit: missing (expected: a limit such as 600/min)",
                        "test.yaml:8:9: error: override: \"x\" (expected: a mapping with name, match, limit)",
                        "test.yaml:9:18: error: match: a list" + expectedMatch,
                        "test.yaml:11:17: error: name: \"a\" a second time (expected: every name once; the first is in line"
                                + " 10)",
                        "test.yaml:12:17: error: name: \"ü\" (expected: 1 to 100 printable ASCII characters)");
        assertRefused(policy("limit: 5/s", "overrides: {}"))
                .containsExactly(
                        "test.yaml:5:16: error: overrides: a mapping (expected: a list of { match: ..., limit: ... })");
    }

    @Test
    void override_namesInDifferentPolicies_mayBeEqual() {
        String policy = "  - { name: %s, limit: 5/s, overrides: [{ name: x, match: { a: b }, limit: %s }] }\n";
        assertThat(Policies.parse(
                                "version: 1\npolicies:\n" + policy.formatted("a", "1/s") + policy.formatted("b", "2/s"),
                                "t")
                        .policies())
                .hasSize(2);
    }

    @ParameterizedTest
    @CsvSource({"20%, 20", "12.5%, 12.5", "100%, 100", "0.001%, 0.001", "'\"5%\"', 5"})
    void reserve_share_isRead(String share, BigDecimal percent) {
        Reserve reserve = one("limit: 500000/s", "reserve: { share: " + share + ", for: { a: b } }")
                .reserve();
        assertThat(reserve).isEqualTo(new Reserve(percent, match("a", "b")));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "20",
                "0%",
                "0.0%",
                "100.1%",
                "-5%",
                "1e1%",
                "5 %",
                "%",
                "\".5%\"",
                "101%",
                "[5%]",
                "~",
                "1000000%"
            })
    void reserve_badShare_isRefused(String share) {
        if (share.equals("%")) {
            share = "\"%\"";
        }
        assertRefused(policy("limit: 5/s", "reserve: { share: " + share + ", for: { a: b } }"))
                .singleElement()
                .asString()
                .startsWith("test.yaml:5:23: error: share: ")
                .endsWith(" (expected: a percentage above 0% and at most 100%, such as 20% or 12.5%)");
    }

    @Test
    void reserve_withoutItsFields_isRefused() {
        assertRefused(policy("limit: 5/s", "reserve: {}"))
                .containsExactly(
                        "test.yaml:5:14: error: share: missing (expected: a percentage such as 20%)",
                        "test.yaml:5:14: error: for: missing (expected: a mapping of attributes to values, such as"
                                + " { tenant: acme })");
        assertRefused(policy("limit: 5/s", "reserve: 20%"))
                .containsExactly("test.yaml:5:14: error: reserve: \"20%\" (expected: a mapping with share, for)");
    }

    @Test
    void enums_allWords_areRead() {
        assertThat(one("limit: 5/s", "mode: off").mode()).isEqualTo(Mode.OFF);
        assertThat(one("limit: 5/s", "mode: shadow").mode()).isEqualTo(Mode.SHADOW);
        assertThat(one("limit: 5/s", "mode: \"enforce\"").mode()).isEqualTo(Mode.ENFORCE);
        assertThat(one("limit: 5/s", "on-store-failure: local").onStoreFailure())
                .isEqualTo(OnFailure.LOCAL);
        assertThat(one("limit: 5/s", "on-store-failure: allow").onStoreFailure())
                .isEqualTo(OnFailure.ALLOW);
        assertThat(one("limit: 5/s", "scope: process").scope()).isEqualTo(Scope.PROCESS);
    }

    @Test
    void enums_otherWords_areRefused() {
        assertRefused(policy("limit: 5/s", "mode: Off", "on-store-failure: ~", "scope: [shared]"))
                .containsExactly(
                        "test.yaml:5:11: error: mode: \"Off\" (expected: enforce, shadow or off)",
                        "test.yaml:6:23: error: on-store-failure: nothing (expected: allow, deny or local)",
                        "test.yaml:7:12: error: scope: a list (expected: shared or process)");
    }

    private static final String ALERTS = "version: 1\npolicies: [{ name: p, limit: 5/s }]\nalerts:\n";

    @Test
    void alert_withAllFields_isRead() {
        assertThat(Policies.parse(
                                ALERTS + "  - { name: a, when: denied / total > 30% }\n"
                                        + "  - { name: b, when: denied / total > 1%, over: 5m, at-least: 0, policy: p,"
                                        + " notify: [log, \"https://example.org/hook?x=1\", http://localhost:9] }\n",
                                "test.yaml")
                        .alerts())
                .containsExactly(
                        new Alert(
                                "a",
                                null,
                                AlertCondition.parse("denied / total > 30%"),
                                Duration.ofMinutes(1),
                                1,
                                List.of("log")),
                        new Alert(
                                "b",
                                "p",
                                AlertCondition.parse("denied / total > 1%"),
                                Duration.ofMinutes(5),
                                0,
                                List.of("log", "https://example.org/hook?x=1", "http://localhost:9")));
    }

    @Test
    void alert_bad_isRefused() {
        assertRefused(ALERTS
                        + "  - { name: a }\n  - { when: denied / total > 1% }\n  - { name: a, when: denied / total > 1% }\n"
                        + "  - { name: \"\", when: [], unless: x }\n")
                .containsExactly(
                        "test.yaml:4:5: error: when: missing (expected: a condition such as denied / total > 30%)",
                        "test.yaml:5:5: error: name: missing (expected: a name)",
                        "test.yaml:6:13: error: name: \"a\" a second time (expected: every name once; the first is in line 4)",
                        "test.yaml:7:13: error: name: \"\" (expected: 1 to 100 printable ASCII characters)",
                        "test.yaml:7:23: error: when: a list (expected: a condition such as denied / total > 30%)",
                        "test.yaml:7:27: error: unknown field \"unless\" (expected: one of name, when, over, at-least, policy,"
                                + " notify)");
    }

    @Test
    void alert_badCondition_isRefused() {
        assertRefused(ALERTS + "  - { name: a, when: whenever }\n")
                .singleElement()
                .asString()
                .startsWith("test.yaml:4:22: error: ")
                .contains("whenever", "expected: ");
    }

    @ParameterizedTest
    @ValueSource(strings = {"999ms", "0s", "25h", "2d", "5", "m", "5 m", "1w", "99999999999999999999s", "~", "1.5m"})
    void alert_badDuration_isRefused(String over) {
        assertRefused(ALERTS + "  - { name: a, when: denied / total > 1%, over: " + over + " }\n")
                .singleElement()
                .asString()
                .startsWith("test.yaml:4:49: error: over: ")
                .endsWith(" (expected: a duration of 1s to 1d, such as 10s, 5m or 1h)");
    }

    @ParameterizedTest
    @CsvSource({
        "1000ms, PT1S",
        "10s, PT10S",
        "1sec, PT1S",
        "5min, PT5M",
        "24hour, PT24H",
        "1d, PT24H",
        "90second, PT90S"
    })
    void alert_duration_isRead(String over, Duration expected) {
        assertThat(Policies.parse(
                                ALERTS + "  - { name: a, when: denied / total > 1%, over: " + over + " }\n",
                                "test.yaml")
                        .alerts())
                .extracting(Alert::over)
                .containsExactly(expected);
    }

    @ParameterizedTest
    @ValueSource(strings = {"-1", "1.5", "many", "~", "[]", "9999999999999999999"})
    void alert_badCount_isRefused(String count) {
        assertRefused(ALERTS + "  - { name: a, when: denied / total > 1%, at-least: " + count + " }\n")
                .singleElement()
                .asString()
                .startsWith("test.yaml:4:53: error: at-least: ")
                .endsWith(" (expected: a whole number, 0 or more)");
    }

    @Test
    void alert_ofUnknownPolicy_isRefused() {
        assertRefused(ALERTS + "  - { name: a, when: denied / total > 1%, policy: q }\n")
                .containsExactly("test.yaml:4:51: error: policy: \"q\" (expected: the name of a policy of this file)");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Log",
                "ftp://example.org",
                "\"http://\"",
                "example.org",
                "mailto:a@b",
                "\"http://a b\"",
                "~",
                "{}"
            })
    void alert_badNotify_isRefused(String tell) {
        assertRefused(ALERTS + "  - { name: a, when: denied / total > 1%, notify: [" + tell + "] }\n")
                .singleElement()
                .asString()
                .startsWith("test.yaml:4:52: error: notify: ")
                .endsWith(" (expected: log, or a URL that begins with http:// or https://)");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            http://user:secret@example.org/x | a user or a password in a URL of "example.org" (expected: none; policies are not kept secret)
            https://@example.org             | a user or a password in a URL of "example.org" (expected: none; policies are not kept secret)
            http://example.org:0/x           | port 0 (expected: 1 to 65535)
            http://example.org:65536/x       | port 65536 (expected: 1 to 65535)
            """)
    void alert_urlWithUserOrBadPort_isRefused(String url, String problem) {
        assertRefused(ALERTS + "  - { name: a, when: denied / total > 1%, notify: [\"" + url + "\"] }\n")
                .containsExactly("test.yaml:4:52: error: notify: " + problem);
    }

    @Test
    void alert_hostThatIsNotAllowed_isRefused() {
        String yaml = ALERTS
                + "  - { name: a, when: denied / total > 1%, notify: [\"https://hooks.example.org/x\", log, \"http://10.9.9.9\"] }\n";
        WebhookHosts hosts = new WebhookHosts(List.of("hooks.example.org"));
        assertThatThrownBy(() -> Policies.parse(yaml, "test.yaml", hosts))
                .isInstanceOf(PolicyException.class)
                .hasMessage(
                        "test.yaml:4:88: error: notify: host \"10.9.9.9\" (expected: one that the setting webhook-hosts"
                                + " allows: hooks.example.org)");
        assertThat(Policies.parse(yaml, "test.yaml").alerts()).hasSize(1);
    }

    @Test
    void policies_tenThousand_areRead() {
        StringBuilder yaml = new StringBuilder("version: 1\npolicies:\n");
        for (int i = 0; i < 10_000; i++) {
            yaml.append("  - { name: p%d, match: { path: /p/%d, tenant: [a, b] }, key: [tenant], limit: %d/s }%n"
                    .formatted(i, i, i + 1));
        }
        Policies policies = Policies.parse(yaml.toString(), "test.yaml");
        assertThat(policies.policies()).hasSize(10_000);
        assertThat(policies.warnings()).isEmpty();
    }
}
