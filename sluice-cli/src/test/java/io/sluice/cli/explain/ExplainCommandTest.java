package io.sluice.cli.explain;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.cli.CommandRun;
import io.sluice.cli.PolicyFixtures;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ExplainCommandTest {
    private static final String POLICIES = """
              - name: global
                limit: fixed-window 10/s
                mode: shadow
              - name: per-tenant
                match: { path: "/api/**" }
                key: [tenant]
                limit: token-bucket 10/s
                overrides:
                  - { match: { tenant: ops }, limit: unlimited }
                  - { name: big, match: { tenant: acme }, limit: token-bucket 100/s }
                reserve: { share: 20%, for: { priority: critical } }
              - name: nobody
                match: { tenant: banned }
                limit: blocked
              - name: later
                limit: 1/s
                mode: off
            """;

    @TempDir
    Path directory;

    private CommandRun explain(String... args) {
        List<String> all = new ArrayList<>(List.of(
                "explain",
                "--config",
                PolicyFixtures.file(directory, "policies.yaml", POLICIES).toString()));
        all.addAll(Arrays.asList(args));
        return CommandRun.with("", all.toArray(String[]::new));
    }

    private void assertMisused(String problem, String... args) {
        assertThat(explain(args))
                .isEqualTo(new CommandRun(2, "", "sluice explain: " + problem + "\ntry: sluice explain --help\n"));
    }

    @Test
    void request_isExplainedPolicyByPolicy() {
        assertThat(explain("tenant=acme", "path=/api//orders/../x?y=1")).isEqualTo(new CommandRun(0, """
                        would be allowed

                        global: applies, every condition holds
                          key      one for all
                          limit    fixed-window 10/s (shadow: never denies)
                          now      allowed, 10 remaining

                        per-tenant: applies, every condition holds
                          not      override {"tenant": "ops"}: tenant is "acme" (expected: "ops")
                          override big
                          key      tenant="acme"
                          limit    token-bucket 100/s
                          reserve  20 kept for others
                          now      allowed, 80 remaining

                        nobody: does not apply, tenant is "acme" (expected: "banned")

                        later: does not apply, its mode is off
                        """, ""));
    }

    @Test
    void request_thatWouldBeDenied_isSaidToBe() {
        assertThat(explain("tenant=banned").out())
                .startsWith("would be denied\n")
                .contains("\nper-tenant: does not apply, path is absent (expected: \"/api/**\")\n")
                .contains("\nnobody: applies, every condition holds\n")
                .contains("denied for ever");
        assertThat(explain("--permits", "11").out()).startsWith("would be allowed\n");
    }

    @Test
    void attribute_thatNoPolicyAsksFor_isNoted() {
        assertThat(explain("tennant=acme"))
                .returns(0, CommandRun::exitCode)
                .returns("sluice explain: note: no policy uses the attribute \"tennant\"\n", CommandRun::err);
    }

    @Test
    void json_holdsEverything() {
        assertThat(explain("--json", "--permits", "2", "path=/api/x", "tenant=ops", "priority=critical", "x=a=b"))
                .isEqualTo(new CommandRun(
                        0,
                        "{\"attributes\":{\"path\":\"/api/x\",\"tenant\":\"ops\",\"priority\":\"critical\"},\"unused\":[\"x\"],\"permits\":2,\"allowed\":true,\"policies\":["
                                + "{\"policy\":\"global\",\"applies\":true,\"reason\":\"every condition holds\",\"mode\":\"shadow\",\"passed_overrides\":[],\"key\":{},\"limit\":\"fixed-window 10/s\",\"kept\":0,"
                                + "\"state\":{\"allowed\":true,\"remaining\":10,\"retry_after_us\":0,\"delay_us\":0,\"reset_after_us\":0}},"
                                + "{\"policy\":\"per-tenant\",\"applies\":true,\"reason\":\"every condition holds\",\"mode\":\"enforce\",\"passed_overrides\":[],\"override\":\"{\\\"tenant\\\": \\\"ops\\\"}\",\"key\":{\"tenant\":\"ops\"},\"limit\":\"unlimited\",\"kept\":0,"
                                + "\"state\":{\"allowed\":true,\"remaining\":0,\"retry_after_us\":0,\"delay_us\":0,\"reset_after_us\":0}},"
                                + "{\"policy\":\"nobody\",\"applies\":false,\"reason\":\"tenant is \\\"ops\\\" (expected: \\\"banned\\\")\",\"mode\":\"enforce\"},"
                                + "{\"policy\":\"later\",\"applies\":false,\"reason\":\"its mode is off\",\"mode\":\"off\"}]}\n",
                        ""));
    }

    @Test
    void arguments_thatAreBad_areRefused() {
        assertMisused("no = in \"tenant\" (expected: attribute=value, as in tenant=acme)", "tenant");
        assertMisused("no name before = in \"=acme\" (expected: attribute=value, as in tenant=acme)", "=acme");
        assertMisused("attribute \"tenant\" is given twice (expected: once)", "tenant=a", "tenant=a");
        assertMisused(
                "--permits \"-1\" (expected: a whole number from 0 to 9007199254740991)", "--permits", "-1", "a=b");
        assertMisused(
                "--permits \"9007199254740992\" (expected: a whole number from 0 to 9007199254740991)",
                "--permits=9007199254740992");
        assertThat(CommandRun.with("", "explain", "a=b"))
                .isEqualTo(
                        new CommandRun(
                                2,
                                "",
                                "sluice explain: missing --config FILE (expected: a policy file)\ntry: sluice explain --help\n"));
    }

    @Test
    void config_thatIsBad_isRefused() {
        Path bad = PolicyFixtures.file(directory, "bad.yaml", "  - { name: a }\n");

        assertThat(CommandRun.with("", "explain", "--config", bad.toString()))
                .returns(2, CommandRun::exitCode)
                .returns("", CommandRun::out)
                .satisfies(ran -> assertThat(ran.err())
                        .startsWith(bad + ":3:")
                        .contains(": error: ")
                        .hasLineCount(1));
    }

    @Test
    void config_thatIsADash_isStandardInput() {
        String policies = "version: 1\npolicies:\n" + POLICIES;

        assertThat(CommandRun.with(policies, "explain", "--config", "-", "tenant=acme", "path=/api/x"))
                .isEqualTo(explain("tenant=acme", "path=/api/x"));
        assertThat(CommandRun.with("version: 2\n", "explain", "--config", "-").err())
                .startsWith("stdin:1:");
    }
}
