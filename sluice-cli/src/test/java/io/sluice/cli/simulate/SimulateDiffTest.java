package io.sluice.cli.simulate;

import static io.sluice.cli.PolicyFixtures.request;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.cli.CommandRun;
import io.sluice.cli.PolicyFixtures;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SimulateDiffTest {
    /** a sends three requests, b one; then both log in twice. */
    private static final String REQUESTS = request(0, 1, "user=a")
            + request(0, 1, "user=a")
            + request(0, 1, "user=a")
            + request(0, 1, "user=b")
            + request(0, 1, "login=a")
            + request(0, 1, "login=a")
            + request(0, 1, "login=b")
            + request(0, 1, "login=b");

    @TempDir
    Path directory;

    private Path now;
    private Path next;

    @BeforeEach
    void writePolicies() {
        now = PolicyFixtures.file(directory, "now.yaml", """
                  - { name: per-user, key: [user], limit: fixed-window 5/s }
                  - { name: login, key: [login], limit: fixed-window 1/s }
                """);
        next = PolicyFixtures.file(directory, "next.yaml", """
                  - { name: per-user, key: [user], limit: fixed-window 1/s }
                  - { name: login, key: [login], limit: fixed-window 1/s, mode: shadow }
                """);
    }

    private CommandRun diff(String requests, Path to, String... more) {
        String[] args = new String[more.length + 2];
        args[0] = "--diff";
        args[1] = to.toString();
        System.arraycopy(more, 0, args, 2, more.length);
        CommandRun ran = PolicyFixtures.simulate(now, requests, args);
        return new CommandRun(ran.exitCode(), withoutDirectory(ran.out()), ran.err());
    }

    /** Removes the directory from the names, and as many spaces from the header. */
    private String withoutDirectory(String report) {
        String prefix = directory + "/";
        return report.replace(prefix, "").replace(" ".repeat(prefix.length()), "");
    }

    @Test
    void diff_saysWhatChangesInAllByPolicyAndByKey() {
        assertThat(diff(REQUESTS, next)).isEqualTo(new CommandRun(0, """
                        8 requests

                                    allowed   denied
                        now.yaml          6        2
                        next.yaml         6        2

                        by policy      newly denied   newly allowed
                        per-user                  2               0
                        login                     0               2
                        all requests              2               2

                        by key            newly denied   newly allowed
                        per-user user=a              2               0
                        login login=a                0               1
                        login login=b                0               1
                        """, ""));
    }

    @Test
    void diff_asJson_saysTheSame() {
        assertThat(diff(REQUESTS, next, "--format", "json", "--top", "1"))
                .isEqualTo(new CommandRun(
                        0,
                        "{\"from\":{\"file\":\"now.yaml\",\"allowed\":6,\"denied\":2},\"to\":{\"file\":\"next.yaml\",\"allowed\":6,\"denied\":2},"
                                + "\"requests\":8,\"newly_denied\":2,\"newly_allowed\":2,\"policies\":["
                                + "{\"policy\":\"per-user\",\"newly_denied\":2,\"newly_allowed\":0},"
                                + "{\"policy\":\"login\",\"newly_denied\":0,\"newly_allowed\":2}],\"keys\":["
                                + "{\"policy\":\"per-user\",\"key\":{\"user\":\"a\"},\"newly_denied\":2,\"newly_allowed\":0}],"
                                + "\"keys_missing_at_most\":0}\n",
                        ""));
    }

    @Test
    void diff_ofTheSamePolicies_isNone() {
        assertThat(diff(REQUESTS, now))
                .returns(0, CommandRun::exitCode)
                .satisfies(ran -> assertThat(ran.out()).endsWith("\n\nBoth files decide every request alike.\n"));
        assertThat(diff("", next).out()).startsWith("0 requests\n");
    }

    @Test
    void top_boundsTheKeys() {
        assertThat(diff(REQUESTS, next, "--top", "2").out())
                .contains("\nby key, top 2 of 3   newly denied   newly allowed\n")
                .endsWith("\nlogin login=a                   0               1\n");
    }

    @Test
    void line_thatIsBad_leavesNoReport() {
        assertThat(diff(REQUESTS + "oops\n", next))
                .returns(2, CommandRun::exitCode)
                .returns("", CommandRun::out)
                .satisfies(ran -> assertThat(ran.err())
                        .startsWith("sluice simulate: stdin, line 9, column 1: ")
                        .hasLineCount(1));
    }
}
