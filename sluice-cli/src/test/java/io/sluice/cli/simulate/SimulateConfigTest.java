package io.sluice.cli.simulate;

import static io.sluice.cli.PolicyFixtures.line;
import static io.sluice.cli.PolicyFixtures.request;
import static io.sluice.cli.PolicyFixtures.result;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.cli.CommandRun;
import io.sluice.cli.PolicyFixtures;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The exact output of {@code simulate --config}. All numbers were calculated by hand. */
class SimulateConfigTest {
    private static final long SECOND = 1_000_000;

    @TempDir
    Path directory;

    private void assertDecided(String policies, String requests, String decisions) {
        Path file = PolicyFixtures.file(directory, "policies.yaml", policies);

        assertThat(PolicyFixtures.simulate(file, requests)).isEqualTo(new CommandRun(0, decisions, ""));
    }

    @Test
    void line_isWrittenAsTheDesignSays() {
        assertDecided("""
                  - name: per-tenant
                    key: [tenant]
                    limit: token-bucket 1/s burst 2
                """, """
                {"time_us":0,"attributes":{"tenant":"acme"},"permits":2}
                {"time_us":5,"attributes":{"tenant":"acme"}}
                """, """
                {"time_us":0,"allowed":true,"retry_after_us":0,"delay_us":0,"violated":[],"results":[{"policy":"per-tenant","key":{"tenant":"acme"},"limit":"token-bucket 1/s burst 2","mode":"enforce","allowed":true,"remaining":0,"retry_after_us":0,"delay_us":0,"reset_after_us":2000000}]}
                {"time_us":5,"allowed":false,"retry_after_us":999995,"delay_us":0,"violated":["per-tenant"],"results":[{"policy":"per-tenant","key":{"tenant":"acme"},"limit":"token-bucket 1/s burst 2","mode":"enforce","allowed":false,"remaining":0,"retry_after_us":999995,"delay_us":0,"reset_after_us":1999995}]}
                """);
    }

    @Test
    void request_thatOnePolicyDenies_isChargedNowhere() {
        String global = "fixed-window 10/s";
        String user = "fixed-window 1/s";
        assertDecided(
                """
                  - { name: global, limit: fixed-window 10/s }
                  - { name: per-user, key: [user], limit: fixed-window 1/s }
                """,
                request(0, 1, "user=a") + request(1, 1, "user=a") + request(1, 1, "user=b"),
                line(
                                0,
                                true,
                                0,
                                0,
                                "",
                                result("global", global, true, 9, 0, 0, SECOND),
                                result("per-user user=a", user, true, 0, 0, 0, SECOND))
                        + line(
                                1,
                                false,
                                999_999,
                                0,
                                "per-user",
                                result("global", global, true, 9, 0, 0, 999_999),
                                result("per-user user=a", user, false, 0, 999_999, 0, 999_999))
                        + line(
                                1,
                                true,
                                0,
                                0,
                                "",
                                result("global", global, true, 8, 0, 0, 999_999),
                                result("per-user user=b", user, true, 0, 0, 0, 999_999)));
    }

    @Test
    void violated_areInTheOrderOfTheFile_andTheLongestRetryCounts() {
        assertDecided(
                """
                  - { name: zebra, limit: fixed-window 1 per 10s }
                  - { name: middle, limit: fixed-window 9 per 10s }
                  - { name: apple, limit: fixed-window 1/s }
                """,
                request(0, 1) + request(0, 1),
                line(
                                0,
                                true,
                                0,
                                0,
                                "",
                                result("zebra", "fixed-window 1 per 10s", true, 0, 0, 0, 10 * SECOND),
                                result("middle", "fixed-window 9 per 10s", true, 8, 0, 0, 10 * SECOND),
                                result("apple", "fixed-window 1/s", true, 0, 0, 0, SECOND))
                        + line(
                                0,
                                false,
                                10 * SECOND,
                                0,
                                "zebra apple",
                                result("zebra", "fixed-window 1 per 10s", false, 0, 10 * SECOND, 0, 10 * SECOND),
                                result("middle", "fixed-window 9 per 10s", true, 8, 0, 0, 10 * SECOND),
                                result("apple", "fixed-window 1/s", false, 0, SECOND, 0, SECOND)));
    }

    @Test
    void retry_isNever_ifOnePolicyNeverAllows() {
        assertDecided(
                """
                  - { name: small, limit: fixed-window 1/s }
                  - { name: large, limit: fixed-window 5/s }
                """,
                request(0, 5) + request(0, 6) + request(0, 0),
                line(
                                0,
                                false,
                                -1,
                                0,
                                "small",
                                result("small", "fixed-window 1/s", false, 1, -1, 0, 0),
                                result("large", "fixed-window 5/s", true, 5, 0, 0, 0))
                        + line(
                                0,
                                false,
                                -1,
                                0,
                                "small large",
                                result("small", "fixed-window 1/s", false, 1, -1, 0, 0),
                                result("large", "fixed-window 5/s", false, 5, -1, 0, 0))
                        + line(
                                0,
                                true,
                                0,
                                0,
                                "",
                                result("small", "fixed-window 1/s", true, 1, 0, 0, 0),
                                result("large", "fixed-window 5/s", true, 5, 0, 0, 0)));
    }

    @Test
    void shadow_neverDenies_andRunsItsOwnLockout() {
        String limit = "sliding-log 1/s lockout 5s";
        assertDecided(
                """
                  - { name: watched, limit: sliding-log 1/s lockout 5s, mode: shadow }
                  - { name: real, limit: fixed-window 9 per 10s }
                """,
                request(0, 1) + request(1, 1) + request(2 * SECOND, 1),
                line(
                                0,
                                true,
                                0,
                                0,
                                "",
                                result("watched", limit, "shadow", true, 0, 0, 0, SECOND),
                                result("real", "fixed-window 9 per 10s", true, 8, 0, 0, 10 * SECOND))
                        + line(
                                1,
                                true,
                                0,
                                0,
                                "",
                                result("watched", limit, "shadow", false, 0, 5 * SECOND, 0, 5 * SECOND),
                                result("real", "fixed-window 9 per 10s", true, 7, 0, 0, 10 * SECOND - 1))
                        + line(
                                2 * SECOND,
                                true,
                                0,
                                0,
                                "",
                                result("watched", limit, "shadow", false, 0, 3 * SECOND + 1, 0, 3 * SECOND + 1),
                                result("real", "fixed-window 9 per 10s", true, 6, 0, 0, 8 * SECOND)));
    }

    @Test
    void shadow_isNotCharged_ifTheRequestIsDenied() {
        assertDecided(
                """
                  - { name: watched, limit: fixed-window 5/s, mode: shadow }
                  - { name: real, limit: blocked }
                """,
                request(0, 1),
                line(
                        0,
                        false,
                        -1,
                        0,
                        "real",
                        result("watched", "fixed-window 5/s", "shadow", true, 5, 0, 0, 0),
                        result("real", "blocked", false, 0, -1, 0, 0)));
    }

    @Test
    void policy_thatIsOff_orDoesNotMatch_orWhoseKeyIsAbsent_isNotInTheResults() {
        assertDecided(
                """
                  - { name: off, limit: blocked, mode: off }
                  - { name: elsewhere, match: { path: "/api/**" }, limit: blocked }
                  - { name: keyed, key: [tenant], limit: blocked }
                  - { name: both, key: [user, ip/24], limit: fixed-window 5/s }
                """,
                request(0, 1)
                        + request(0, 1, "path=/api")
                        + request(0, 1, "user=a")
                        + request(0, 1, "user=a", "ip=192.0.2.7"),
                line(0, true, 0, 0, "")
                        + line(0, true, 0, 0, "")
                        + line(0, true, 0, 0, "")
                        + line(
                                0,
                                true,
                                0,
                                0,
                                "",
                                result("both user=a ip/24=192.0.2.0/24", "fixed-window 5/s", true, 4, 0, 0, SECOND)));
    }

    @Test
    void override_thatMatchesFirst_hasALimitAndStateOfItsOwn() {
        assertDecided(
                """
                  - name: per-tenant
                    key: [tenant]
                    limit: fixed-window 1/s
                    overrides:
                      - { match: { tenant: [acme, ops] }, limit: fixed-window 3/s }
                      - { match: { tenant: "o*" }, limit: blocked }
                      - { match: { tenant: free }, limit: unlimited }
                      - { match: { tenant: banned }, limit: blocked }
                """,
                request(0, 1, "tenant=acme")
                        + request(0, 1, "tenant=ops")
                        + request(0, 1, "tenant=small")
                        + request(0, 7, "tenant=free")
                        + request(0, 1, "tenant=banned")
                        + request(0, 0, "tenant=banned"),
                line(0, true, 0, 0, "", result("per-tenant tenant=acme", "fixed-window 3/s", true, 2, 0, 0, SECOND))
                        + line(
                                0,
                                true,
                                0,
                                0,
                                "",
                                result("per-tenant tenant=ops", "fixed-window 3/s", true, 2, 0, 0, SECOND))
                        + line(
                                0,
                                true,
                                0,
                                0,
                                "",
                                result("per-tenant tenant=small", "fixed-window 1/s", true, 0, 0, 0, SECOND))
                        + line(0, true, 0, 0, "", result("per-tenant tenant=free", "unlimited", true, 0, 0, 0, 0))
                        + line(
                                0,
                                false,
                                -1,
                                0,
                                "per-tenant",
                                result("per-tenant tenant=banned", "blocked", false, 0, -1, 0, 0))
                        + line(
                                0,
                                false,
                                -1,
                                0,
                                "per-tenant",
                                result("per-tenant tenant=banned", "blocked", false, 0, -1, 0, 0)));
    }

    @Test
    void reserve_isKeptFromOthers_andStartsNoLockout() {
        String limit = "fixed-window 10/s lockout 1h";
        assertDecided(
                """
                  - name: api
                    limit: fixed-window 10/s lockout 1h
                    reserve: { share: 15%, for: { priority: critical } }
                """,
                request(0, 9)
                        + request(0, 7)
                        + request(0, 2)
                        + request(0, 3, "priority=critical")
                        + request(0, 1, "priority=critical"),
                line(0, false, -1, 0, "api", result("api", limit, false, 8, -1, 0, 0))
                        + line(0, true, 0, 0, "", result("api", limit, true, 1, 0, 0, SECOND))
                        + line(0, false, SECOND, 0, "api", result("api", limit, false, 1, SECOND, 0, SECOND))
                        + line(0, true, 0, 0, "", result("api", limit, true, 0, 0, 0, SECOND))
                        + line(
                                0,
                                false,
                                3600 * SECOND,
                                0,
                                "api",
                                result("api", limit, false, 0, 3600 * SECOND, 0, 3600 * SECOND)));
    }

    @Test
    void lockout_isStartedOnlyByThePoliciesThatDenied() {
        String login = "sliding-log 1 per 10s lockout 1m";
        String other = "sliding-log 5 per 10s lockout 1m";
        assertDecided(
                """
                  - { name: login, key: [ip], limit: sliding-log 1 per 10s lockout 1m }
                  - { name: other, limit: sliding-log 5 per 10s lockout 1m }
                """,
                request(0, 1, "ip=192.0.2.1") + request(1, 1, "ip=192.0.2.1") + request(2, 1, "ip=192.0.2.2"),
                line(
                                0,
                                true,
                                0,
                                0,
                                "",
                                result("login ip=192.0.2.1", login, true, 0, 0, 0, 10 * SECOND),
                                result("other", other, true, 4, 0, 0, 10 * SECOND))
                        + line(
                                1,
                                false,
                                60 * SECOND,
                                0,
                                "login",
                                result("login ip=192.0.2.1", login, false, 0, 60 * SECOND, 0, 60 * SECOND),
                                result("other", other, true, 4, 0, 0, 10 * SECOND - 1))
                        + line(
                                2,
                                true,
                                0,
                                0,
                                "",
                                result("login ip=192.0.2.2", login, true, 0, 0, 0, 10 * SECOND),
                                result("other", other, true, 3, 0, 0, 10 * SECOND)));
    }

    @Test
    void delay_isTheLongestOfThoseThatEnforce_andOnlyIfAllowed() {
        String slow = "leaky-bucket 1/s capacity 3";
        String slower = "leaky-bucket 1 per 2s capacity 3";
        assertDecided(
                """
                  - { name: slow, limit: leaky-bucket 1/s capacity 3 }
                  - { name: slower, limit: leaky-bucket 1 per 2s capacity 3, mode: shadow }
                  - { name: few, key: [user], limit: fixed-window 1 per 10s }
                """,
                request(0, 1) + request(0, 1, "user=a") + request(0, 1, "user=a"),
                line(
                                0,
                                true,
                                0,
                                0,
                                "",
                                result("slow", slow, true, 2, 0, 0, SECOND),
                                result("slower", slower, "shadow", true, 2, 0, 0, 2 * SECOND))
                        + line(
                                0,
                                true,
                                0,
                                SECOND,
                                "",
                                result("slow", slow, true, 1, 0, SECOND, 2 * SECOND),
                                result("slower", slower, "shadow", true, 1, 0, 2 * SECOND, 4 * SECOND),
                                result("few user=a", "fixed-window 1 per 10s", true, 0, 0, 0, 10 * SECOND))
                        + line(
                                0,
                                false,
                                10 * SECOND,
                                0,
                                "few",
                                result("slow", slow, true, 1, 0, 2 * SECOND, 2 * SECOND),
                                result("slower", slower, "shadow", true, 1, 0, 4 * SECOND, 4 * SECOND),
                                result("few user=a", "fixed-window 1 per 10s", false, 0, 10 * SECOND, 0, 10 * SECOND)));
    }

    @Test
    void file_withoutPolicies_allowsEverything() {
        Path file = PolicyFixtures.file(directory, "none.yaml", "  []\n");

        assertThat(PolicyFixtures.simulate(file, request(7, 3, "a=b")))
                .isEqualTo(new CommandRun(
                        0,
                        "{\"time_us\":7,\"allowed\":true,\"retry_after_us\":0,\"delay_us\":0,\"violated\":[],\"results\":[]}\n",
                        ""));
    }

    @Test
    void values_thatJsonMustEscape_comeOutEscaped() {
        String value = "a\\\"b\\\\c\\u0001\\n\\ud800é\uD83D\uDD11";
        assertDecided(
                "  - { name: keyed, key: [k], limit: unlimited }\n",
                "{\"time_us\":0,\"attributes\":{\"k\":\"" + value + "\"}}\n",
                line(0, true, 0, 0, "", result("keyed k=" + value, "unlimited", true, 0, 0, 0, 0)));
    }
}
