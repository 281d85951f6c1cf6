package io.sluice.policy.lint;

import static io.sluice.policy.PolicyFileAssertions.assertWarned;
import static io.sluice.policy.PolicyFileAssertions.policy;

import io.sluice.policy.yaml.Problems;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LintTest {
    private static final String NEVER_APPLIES =
            " comes first and matches all requests of this one, so this one never applies";

    @Test
    void match_neverSatisfied_warns() {
        assertWarned(policy(
                        "limit: 5/s",
                        "match: { tenant: { not: '**' } }",
                        "overrides: [{ match: { plan: { not: [x, '**'] } }, limit: 9/s }]",
                        "reserve: { share: 20%, for: { plan: { not: { not: { not: '**' } } } } }"))
                .containsExactly(
                        "test.yaml:5:22: warning: \"tenant\": no value satisfies this, so the policy never applies",
                        "test.yaml:6:34: warning: \"plan\": no value satisfies this, so the override never applies",
                        "test.yaml:7:41: warning: \"plan\": no value satisfies this, so no request can use the kept share");
    }

    @ParameterizedTest
    @CsvSource({
        "/a//b, /a/b",
        "/a/../b, /b",
        "/a/./b, /a/b",
        "/a/.., /",
        "./a, a",
        "/a?b=c, /a",
        "/a#b, /a",
        "/a/%41, /a/A",
        "/a%20b, /a b",
        "/a%2Fb, /a/b",
        "/a//**, /a/**",
        "/*/../b/*, /b/*"
    })
    void path_notNormalised_warns(String path, String normal) {
        String warning = "\"" + path
                + "\" is read as \"" + normal + "\": paths are matched without query, escapes, dot segments and"
                + " doubled slashes";
        assertWarned(policy("limit: 5/s", "match: { path: '" + path + "' }"))
                .containsExactly("test.yaml:5:20: warning: path: " + warning);
        assertWarned(policy("limit: 5/s", "match: { path: [/a, { not: '" + path + "' }] }"))
                .containsExactly("test.yaml:5:32: warning: path: " + warning);
        assertWarned(policy("limit: 5/s", "overrides: [{ match: { path: '" + path + "' }, limit: 1/s }]"))
                .containsExactly("test.yaml:5:34: warning: path: " + warning);
        assertWarned(policy("limit: 5/s", "match: { file: '" + path + "', path: { regex: '.*//.*' } }"))
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"/", "/a/b.c", "/a/...", "/.well-known/x", "/a..b", "a", "/**", "/a/*/b", "*"})
    void path_normalised_doesNotWarn(String path) {
        assertWarned(policy("limit: 5/s", "match: { path: '" + path + "' }")).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "a|b",
                "a|[b, c]",
                "[a, b]|[c, d]",
                "/a|/b/**",
                "/a/b|/a*",
                "/a/**|/b/**",
                "'*.a'|'*.b'",
                "a|{ regex: b }",
                "a|{ not: a }",
                "{ not: [a, b] }|b",
                "{ not: 'a**' }|abc*",
                "10.0.0.1|{ cidr: 11.0.0.0/8 }",
                "'::1'|{ cidr: 11.0.0.0/8 }",
                "10.0.0.1|{ not-cidr: 10.0.0.0/8 }",
                "{ cidr: 10.1.0.0/16 }|{ not-cidr: 10.0.0.0/8 }",
                "{ cidr: 10.1.0.0/16 }|{ cidr: [10.2.0.0/16, '2001:db8::/32'] }",
                "10.0.0.01|{ cidr: 10.0.0.0/8 }",
                "'::ffff:10.0.0.1'|{ cidr: 11.0.0.0/8 }",
                "somewhere|{ cidr: 10.0.0.0/8 }",
            })
    void override_contradictsThePolicy_warns(String own, String other) {
        for (String[] pair : new String[][] {{own, other}, {other, own}}) {
            assertWarned(policy(
                            "limit: 5/s",
                            "match: { a: " + pair[0] + " }",
                            "overrides: [{ match: { a: " + pair[1] + " }, limit: 1/s }]"))
                    .containsExactly(
                            "test.yaml:6:31: warning: \"a\": contradicts the policy's own match in line 5, so the"
                                    + " override never applies");
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "a|[a, b]",
                "/a/b|/a/*",
                "/a/**|'**/b'",
                "/a*|/a/b*",
                "'*a'|'*ba'",
                "{ regex: b }|{ regex: c }",
                "{ not: a }|{ not: b }",
                "{ not: b }|a",
                "10.0.0.1|{ cidr: 10.0.0.0/8 }",
                "{ cidr: 10.0.0.0/8 }|{ cidr: 10.1.0.0/16 }",
                "somewhere|{ not-cidr: 10.0.0.0/8 }",
            })
    void override_fitsThePolicy_doesNotWarn(String own, String other) {
        for (String[] pair : new String[][] {{own, other}, {other, own}}) {
            assertWarned(policy(
                            "limit: 5/s",
                            "match: { a: " + pair[0] + " }",
                            "overrides: [{ match: { a: " + pair[1] + " }, limit: 1/s }]"))
                    .isEmpty();
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{ a: x }|{ a: x }",
                "{}|{ a: x }",
                "{}|{}",
                "{ a: x }|{ b: y, a: x }",
                "{ a: [x, y] }|{ a: x }",
                "{ a: [x, y, z] }|{ a: [z, x] }",
                "{ a: [x, 'y*'] }|{ a: [yes, x] }",
                "{ a: '**' }|{ a: { regex: x } }",
                "{ a: /x/** }|{ a: /x/y/* }",
                "{ a: /x/* }|{ a: /x/y }",
                "{ a: { regex: 'x+' } }|{ a: [x, xx] }",
                "{ a: { regex: 'x+' } }|{ a: { regex: 'x+' } }",
                "{ a: { cidr: 10.0.0.0/8 } }|{ a: 10.1.2.3 }",
                "{ a: { cidr: [10.0.0.0/8, 11.0.0.0/8] } }|{ a: { cidr: 11.1.0.0/16 } }",
                "{ a: { not: x } }|{ a: y }",
                "{ a: { not: x } }|{ a: { not: [x, y] } }",
                "{ a: { not-cidr: 10.0.0.0/8 } }|{ a: { cidr: 11.0.0.0/8 } }",
                "{ own: [p, q] }|{ a: x }",
            })
    void override_afterAWiderOne_warns(String wide, String narrow) {
        assertWarned(policy(
                        "limit: 5/s",
                        "match: { own: p }",
                        "overrides:",
                        "  - { match: { other: z }, limit: 1/s }",
                        "  - { match: " + wide + ", limit: 1/s }",
                        "  - { match: { other: y }, limit: 1/s }",
                        "  - { match: " + narrow + ", limit: 2/s }"))
                .contains("test.yaml:10:18: warning: match: the override in line 8" + NEVER_APPLIES);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{ a: x }|{ a: y }",
                "{ a: x, b: y }|{ a: x }",
                "{ a: x }|{ a: [x, y] }",
                "{ a: x }|{ b: x }",
                "{ a: '**' }|{ b: x }",
                "{ a: '*' }|{ a: { regex: x } }",
                "{ a: /x/* }|{ a: /x/y/z }",
                "{ a: /x/* }|{ a: /x/y/* }",
                "{ a: { cidr: 10.1.0.0/16 } }|{ a: { cidr: 10.0.0.0/8 } }",
                "{ a: { not: x } }|{ a: { not: y } }",
            })
    void override_afterANarrowerOne_doesNotWarn(String narrow, String wide) {
        assertWarned(policy(
                        "limit: 5/s",
                        "overrides:",
                        "  - { match: " + narrow + ", limit: 1/s }",
                        "  - { match: " + wide + ", limit: 2/s }"))
                .isEmpty();
    }

    @Test
    void override_oneUnreachableAmongTenThousand_isFound() {
        StringBuilder overrides = new StringBuilder();
        for (int i = 0; i < 10_000; i++) {
            overrides.append("\n      - { match: { plan: gold, tenant: t%d }, limit: %d/s }".formatted(i, i + 1));
        }
        overrides.append("\n      - { match: { plan: gold, tenant: t9000, extra: x }, limit: 1/s }");
        assertWarned(policy("limit: 5/s", "overrides:" + overrides))
                .containsExactly("test.yaml:10006:18: warning: match: the override in line 9006" + NEVER_APPLIES);
    }

    @Test
    void override_tenThousandEqualOrGlobs_takeBoundedWork() {
        assertWarned(policy(
                        "limit: 5/s", "overrides:" + "\n      - { match: { tenant: a }, limit: 1/s }".repeat(10_000)))
                .hasSize(Problems.MAX_PROBLEMS + 1);
        StringBuilder overrides = new StringBuilder();
        for (int i = 0; i < 10_000; i++) {
            overrides.append("\n      - { match: { path: /%d/** }, limit: %d/s }".formatted(i, i + 1));
        }
        assertWarned(policy("limit: 5/s", "overrides:" + overrides)).isEmpty();
    }

    @Test
    void policy_withTheSameEffect_warns() {
        String first = "version: 1\npolicies:\n  - { name: a, match: { x: y }, key: [k], limit: 5/s }\n";
        assertWarned(
                        first
                                + "  - { name: b, key: k, match: { x: [y] }, limit: token-bucket 5 per 1s, on-store-failure: deny }\n")
                .containsExactly(
                        "test.yaml:4:13: warning: name: \"b\" limits the same requests in the same way as \"a\" in"
                                + " line 3 (expected: one of them)");
        assertWarned(first + "  - { name: b, match: { x: y }, key: [k], limit: 300/min }\n")
                .isEmpty();
        assertWarned(first + "  - { name: b, match: { x: y }, key: [l], limit: 5/s }\n")
                .isEmpty();
        assertWarned(first + "  - { name: b, match: { x: z }, key: [k], limit: 5/s }\n")
                .isEmpty();
        assertWarned(first + "  - { name: b, match: { x: y }, key: [k], limit: 5/s, mode: off }\n")
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "1000/s burst 1",
                "10/s burst 1",
                "1000/s burst 5",
                "600/min burst 1 lockout 1m",
                "5 per 1s burst 1 refill interval"
            })
    void limit_tinyBurst_warns(String limit) {
        String burst = limit.replaceFirst(".*burst (\\d+).*", "$1");
        String warning =
                "limit: burst " + burst + " is small for the rate: a request for more permits is never allowed, and of"
                        + " requests that come together only as many are allowed"
                        + " (expected: at least the permits of the largest request)";
        assertWarned(policy("limit: " + limit)).containsExactly("test.yaml:4:12: warning: " + warning);
        assertWarned(policy("limit: 5/s", "overrides: [{ match: { a: b }, limit: " + limit + " }]"))
                .containsExactly("test.yaml:5:43: warning: " + warning);
    }

    @Test
    void limit_tinyCapacity_warns() {
        assertWarned(policy("limit: leaky-bucket 1000/s capacity 2"))
                .singleElement()
                .asString()
                .startsWith("test.yaml:4:12: warning: limit: capacity 2 is small for the rate");
    }

    @Test
    void limit_shortWarmUp_warns() {
        assertWarned(policy("limit: warm-up 100/s over 19ms lockout 1s"))
                .containsExactly(
                        "test.yaml:4:12: warning: limit: over 19ms is short for the rate: a request for more than 1"
                                + " permit is never allowed (expected: a time in which the permits of the largest request come)");
        assertWarned(policy("limit: warm-up 100/s over 20ms")).isEmpty();
        assertWarned(policy("limit: warm-up 1 per 10s over 1s")).isEmpty();
    }

    @Test
    void limit_intervalAboveTheBurst_warns() {
        assertWarned(policy("limit: 100 per 1m burst 20 refill interval"))
                .containsExactly(
                        "test.yaml:4:12: warning: limit: burst 20 with refill interval: 100 permits come at once,"
                                + " but the bucket holds only the burst (expected: a burst of at least 100)");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "1/s",
                "1 per 10s",
                "1/s burst 1",
                "600/min burst 100",
                "1000/s burst 10",
                "10/s burst 2",
                "1000/s",
                "leaky-bucket 10/s capacity 1",
                "leaky-bucket 1000/s capacity 20",
                "sliding-log 1 per 1m",
                "unlimited",
                "blocked",
                "100 per 1m burst 200 refill interval",
                "10000/s burst 20000",
                "60/min burst 5"
            })
    void limit_sensible_doesNotWarn(String limit) {
        assertWarned(policy("limit: " + limit)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"path", "uri", "url", "query", "user-agent", "User-Agent", "referer"})
    void key_chosenByClients_warns(String attribute) {
        assertWarned(policy("limit: 5/s", "key: [tenant, " + attribute + "]"))
                .containsExactly(
                        "test.yaml:5:19: warning: key: \"" + attribute + "\" is whatever clients choose, and each value"
                                + " has a bucket of its own (expected: an attribute they cannot choose, or a match that lists its"
                                + " values)");
        assertWarned(policy("limit: 5/s", "key: " + attribute, "match: { " + attribute + ": a** }"))
                .singleElement()
                .asString()
                .startsWith("test.yaml:5:10: warning: key: ");
        assertWarned(policy("limit: 5/s", "key: " + attribute, "match: { " + attribute + ": [a, b] }"))
                .isEmpty();
    }

    @Test
    void key_ofOtherAttributes_doesNotWarn() {
        assertWarned(policy("limit: 5/s", "key: [ip, tenant, user, method, ip/64]"))
                .isEmpty();
    }

    @Test
    void reserve_withoutALimit_warns() {
        String reserve = "reserve: { share: 20%, for: { a: b } }";
        assertWarned(policy("limit: unlimited", reserve))
                .containsExactly("test.yaml:5:14: warning: reserve: has no effect on a limit that is unlimited");
        assertWarned(policy("limit: blocked", reserve))
                .containsExactly("test.yaml:5:14: warning: reserve: has no effect on a limit that is blocked");
        assertWarned(policy("limit: unlimited", reserve, "overrides: [{ match: { c: d }, limit: 100/s }]"))
                .isEmpty();
    }

    @Test
    void charge_withoutALimitThatCounts_warns() {
        assertWarned(policy("limit: unlimited", "charge: always"))
                .containsExactly("test.yaml:5:13: warning: charge: has no effect on a limit that is unlimited");
        assertWarned(policy("limit: blocked", "charge: always"))
                .containsExactly("test.yaml:5:13: warning: charge: has no effect on a limit that is blocked");
        assertWarned(policy("limit: unlimited", "charge: always", "overrides: [{ match: { c: d }, limit: 100/s }]"))
                .isEmpty();
        assertWarned(policy("limit: blocked", "charge: admitted")).isEmpty();
    }

    @Test
    void adapt_withoutALimitThatItChanges_warns() {
        String adapt = "adapt: { signal: cpu }";
        assertWarned(policy("limit: unlimited", "scope: process", adapt))
                .containsExactly("test.yaml:6:12: warning: adapt: has no effect on a limit that is unlimited");
        assertWarned(policy("limit: concurrency adaptive", "scope: process", adapt))
                .containsExactly(
                        "test.yaml:6:12: warning: adapt: has no effect on a limit that is concurrency adaptive,"
                                + " which finds its number itself");
        assertWarned(policy("limit: concurrency 5", "scope: process", adapt)).isEmpty();
        assertWarned(policy(
                        "limit: unlimited", "scope: process", adapt, "overrides: [{ match: { c: d }, limit: 100/s }]"))
                .isEmpty();
    }

    @Test
    void reserve_ofTheWholeLimit_warns() {
        String all = ", rounded up, is the whole limit, so only requests that match \"for\" are allowed";
        assertWarned(policy("limit: 1/s", "reserve: { share: 20%, for: { a: b } }"))
                .containsExactly("test.yaml:5:23: warning: share: 20% of 1" + all);
        assertWarned(policy("limit: 100/s", "reserve: { share: 99.5%, for: { a: b } }"))
                .containsExactly("test.yaml:5:23: warning: share: 99.5% of 100" + all);
        assertWarned(policy(
                        "limit: 100/s",
                        "reserve: { share: 20%, for: { a: b } }",
                        "overrides: [{ match: { c: d }, limit: 1/s }, { match: { c: e }, limit: blocked }]"))
                .containsExactly("test.yaml:6:43: warning: share: 20% of 1" + all);
        assertWarned(policy("limit: 2/s", "reserve: { share: 50%, for: { a: b } }"))
                .isEmpty();
    }

    @Test
    void reserve_forAllOrNoRequests_warns() {
        String everybody = "for: matches every request of the policy, so the share is kept from no request";
        assertWarned(policy("limit: 100/s", "reserve: { share: 20%, for: {} }"))
                .containsExactly("test.yaml:5:33: warning: " + everybody);
        assertWarned(policy("limit: 100/s", "match: { a: b }", "reserve: { share: 20%, for: { a: [b, c] } }"))
                .containsExactly("test.yaml:6:33: warning: " + everybody);
        assertWarned(policy("limit: 100/s", "match: { a: b }", "reserve: { share: 20%, for: { a: c } }"))
                .containsExactly(
                        "test.yaml:6:38: warning: \"a\": contradicts the policy's own match in line 5, so no request"
                                + " can use the kept share");
    }

    @Test
    void onStoreFailure_scopeProcess_warns() {
        assertWarned(policy("limit: 5/s", "scope: process", "on-store-failure: allow"))
                .containsExactly(
                        "test.yaml:6:23: warning: on-store-failure: has no effect, because a policy of scope process"
                                + " uses no shared store");
        assertWarned(policy("limit: 5/s", "scope: process")).isEmpty();
        assertWarned(policy("limit: 5/s", "scope: shared", "on-store-failure: deny"))
                .isEmpty();
    }

    @Test
    void alert_ofAPolicyThatIsOff_warns() {
        String alerts = "alerts: [{ name: a, when: denied / total > 1%, policy: p }]\n";
        assertWarned(policy("limit: 5/s", "mode: off") + alerts)
                .containsExactly("test.yaml:6:56: warning: policy: \"p\" is off, so this alert never fires");
        assertWarned(policy("limit: 5/s", "mode: shadow") + alerts).isEmpty();
    }

    @Test
    void warnings_haveTheOrderOfTheFile() {
        assertWarned(policy("limit: 9/s burst 1", "key: path", "match: { path: /a//* }"))
                .extracting(warning -> warning.substring(0, warning.indexOf(' ')))
                .containsExactly("test.yaml:4:12:", "test.yaml:5:10:", "test.yaml:6:20:");
    }
}
