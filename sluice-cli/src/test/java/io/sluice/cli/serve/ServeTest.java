package io.sluice.cli.serve;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.cli.CommandRun;
import io.sluice.cli.console.Stdio;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class ServeTest {
    @TempDir
    Path directory;

    private static void assertRefused(String problem, String... options) {
        assertThat(served(options)).isEqualTo(new CommandRun(2, "", "sluice serve: " + problem + "\n"));
    }

    private static CommandRun served(String... options) {
        String[] args = new String[options.length + 1];
        args[0] = "serve";
        System.arraycopy(options, 0, args, 1, options.length);
        return CommandRun.with("", args);
    }

    @Test
    void help_namesEverySetting_inLinesThatFit() {
        CommandRun ran = served("--help");

        assertThat(ran.exitCode()).isZero();
        assertThat(ran.out())
                .startsWith("Usage: sluice serve ")
                .contains("--config", "--envoy-config", "--redis", "--redis-file", "--redis-prefix", "--max-keys")
                .contains(
                        "--data-dir", "--snapshot-every", "--host", "--port", "--resp-port", "--tls-cert", "--tls-key")
                .contains("--idle-timeout", "--admin-token-file", "--resp-password-file", "--trusted-proxies")
                .contains(
                        "--metrics",
                        "--legacy-headers",
                        "--latency-histogram",
                        "--stop-deadline",
                        "--log-format",
                        "--settings")
                .contains("--print-config", "SLUICE_ADMIN_TOKEN", "Network:", "Examples:")
                .doesNotContain("--admin-token ", "--resp-password ");
        assertThat(ran.out().lines()).allMatch(line -> line.length() <= 80);
    }

    @Test
    void value_thatCannotBeUsed_isRefused() {
        assertRefused("--port \"80a\" (expected: a port: 0 to 65535)", "--port", "80a");
        assertRefused("--legacy-headers \"maybe\" (expected: true or false)", "--legacy-headers=maybe");
        assertRefused(
                "--config and --envoy-config (expected: one of them)", "--config", "p.yaml", "--envoy-config", "d");
        assertRefused("none.yaml: no such file (expected: a file of settings, in YAML)", "--settings", "none.yaml");
        assertRefused("none.yaml: no such file (expected: a policy file, in YAML)", "--config", "none.yaml");
    }

    @Test
    void flag_thatThereIsNot_isRefused() {
        assertThat(served("--prot", "1"))
                .isEqualTo(new CommandRun(
                        2,
                        "",
                        "sluice serve: unknown option --prot (did you mean: --port?)\ntry: sluice serve --help\n"));
        assertThat(served("--admin-token", "secret").err()).contains("unknown option --admin-token\n");
    }

    @Test
    void policies_thatAreRefused_areSaidWithTheirPlace() throws IOException {
        Path file =
                Files.writeString(directory.resolve("p.yaml"), "version: 1\npolicies:\n  - { name: a, limit: x }\n");

        CommandRun ran = served("--config", file.toString(), "--port", "0");

        assertThat(ran.exitCode()).isEqualTo(2);
        assertThat(ran.err()).startsWith(file + ":3:23: error: limit: ").hasLineCount(1);
    }

    @Test
    void port_thatAnotherHas_isSaidInALine() throws IOException {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            CommandRun ran = served("--port", Integer.toString(taken.getLocalPort()), "--resp-port", "off");

            assertThat(ran.exitCode()).isEqualTo(1);
            assertThat(ran.out()).isEmpty();
            assertThat(ran.err().lines().filter(line -> line.startsWith("sluice serve: ")))
                    .singleElement()
                    .asString()
                    .startsWith("sluice serve: cannot listen on 127.0.0.1:" + taken.getLocalPort() + ": ")
                    .contains("in use");
            assertThat(ran.err()).doesNotContain("\tat ", "    at ");
        }
    }

    @Test
    void printConfig_printsAFileThatIsReadAgain() throws IOException {
        CommandRun first = served("--port", "9090", "--legacy-headers", "--print-config");
        assertThat(first.exitCode()).isZero();
        assertThat(first.out()).containsPattern("(?m)^port: 9090 +# --port$");
        Path file = Files.writeString(directory.resolve("sluice.yaml"), first.out());

        CommandRun second = served("--settings", file.toString(), "--print-config");

        assertThat(second.exitCode()).isZero();
        assertThat(second.out().replaceAll(" +#.*", "")).isEqualTo(first.out().replaceAll(" +#.*", ""));
        assertThat(second.out()).containsPattern("(?m)^port: 9090 +# .*sluice.yaml:\\d+$");
        assertThat(second.out()).containsPattern("(?m)^legacy-headers: true +# .*sluice.yaml:\\d+$");
    }

    @Test
    void printConfig_saysHowManyKeysFit_andThatThisIsDerived() {
        assertThat(served("--print-config").out())
                .containsPattern("(?m)^# max-keys: [1-9][0-9]+ +# not set: derived from a heap of [0-9]+ MiB$");
        assertThat(served("--max-keys", "12", "--print-config").out())
                .containsPattern("(?m)^max-keys: 12 +# --max-keys$");
    }

    @Test
    void variables_areReadAndUnknownOnesWarnedOf() {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        Stdio stdio = new Stdio(new ByteArrayInputStream(new byte[0]), out, new PrintStream(err, true, UTF_8), false);
        CommandLine serve = ServeCommand.commandLine(
                stdio, Map.of("SLUICE_PORT", "9191", "SLUICE_HOTS", "x", "SLUICE_ADMIN_TOKEN", "t0p"));

        assertThat(serve.execute("--print-config")).isZero();

        assertThat(out.toString(UTF_8))
                .containsPattern("(?m)^port: 9191 +# SLUICE_PORT$")
                .contains("# admin-token: \"***\"")
                .doesNotContain("t0p");
        assertThat(err.toString(UTF_8))
                .isEqualTo("sluice serve: SLUICE_HOTS is not a setting and is ignored (did you mean: SLUICE_HOST?)\n"
                        + "sluice serve: admin-token: a secret of 3 characters can be guessed (expected: at least 16;"
                        + " to make one: openssl rand -hex 32)\n");
    }
}
