package io.sluice.cli.validate;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.cli.CommandRun;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ValidateCommandTest {
    private static final String GOOD = "version: 1\npolicies:\n  - { name: api, limit: 10/s }\n";

    /** A path loses its query before it is matched. */
    private static final String SUSPICIOUS =
            "version: 1\npolicies:\n  - { name: api, match: { path: \"/api?x=1\" }, limit: 10/s }\n";

    private static final String BAD =
            "version: 1\npolicies:\n  - { name: api, limit: 10/parsec }\n  - { name: api, limt: 10/s }\n";

    @TempDir
    Path directory;

    private String file(String name, String yaml) throws IOException {
        return Files.writeString(directory.resolve(name), yaml).toString();
    }

    @Test
    void file_thatIsFine_isOk() throws IOException {
        String file = file("good.yaml", GOOD);

        assertThat(CommandRun.with("", "validate", file)).isEqualTo(new CommandRun(0, file + ": ok, 1 policy\n", ""));
    }

    @Test
    void file_withWarnings_isOkWithExitCodeOne() throws IOException {
        String file = file("suspicious.yaml", SUSPICIOUS);

        CommandRun ran = CommandRun.with("", "validate", file);

        assertThat(ran.exitCode()).isEqualTo(1);
        assertThat(ran.out()).matches("\\Q" + file + "\\E: ok, 1 policy, [1-9][0-9]* warnings?\n");
        assertThat(ran.err()).startsWith(file + ":3:").contains(": warning: ");
    }

    @Test
    void file_withErrors_isRefusedWithAllOfThem() throws IOException {
        String file = file("bad.yaml", BAD);

        CommandRun ran = CommandRun.with("", "validate", file);

        assertThat(ran.exitCode()).isEqualTo(2);
        assertThat(ran.err().lines())
                .hasSizeGreaterThan(2)
                .allMatch(line -> line.matches("\\Q" + file + "\\E:[0-9]+:[0-9]+: error: .* \\(expected: .*\\)"));
        assertThat(ran.out()).isEqualTo(file + ": refused, " + ran.err().lines().count() + " errors\n");
    }

    @Test
    void files_thatAreSeveral_areAllChecked() throws IOException {
        String good = file("good.yaml", GOOD);
        String missing = directory.resolve("missing.yaml").toString();

        assertThat(CommandRun.with("", "validate", missing, directory.toString(), good))
                .isEqualTo(new CommandRun(
                        2,
                        good + ": ok, 1 policy\n",
                        missing + ": no such file (expected: a policy file, in YAML)\n" + directory
                                + ": is a directory (expected: a policy file, in YAML)\n"));
        assertThat(CommandRun.with("", "validate", good, file("suspicious.yaml", SUSPICIOUS))
                        .exitCode())
                .isEqualTo(1);
    }

    @Test
    void dash_isStandardInput() {
        assertThat(CommandRun.with(GOOD, "validate", "-")).isEqualTo(new CommandRun(0, "stdin: ok, 1 policy\n", ""));
        assertThat(CommandRun.with("version: 1\npolicies:\n  - { name: api }\n", "validate", "-"))
                .returns(2, CommandRun::exitCode)
                .satisfies(ran -> assertThat(ran.err()).startsWith("stdin:3:").contains(": error: "));
        assertThat(CommandRun.with(
                        new ByteArrayInputStream("version: 1\n# \u00e9\n".getBytes(ISO_8859_1)), "validate", "-"))
                .isEqualTo(new CommandRun(
                        2, "stdin: refused, 1 error\n", "stdin:2:3: error: byte 0xE9 (expected: UTF-8)\n"));
    }

    @Test
    void file_thatIsMissingOnTheCommandLine_isMisuse() {
        assertThat(CommandRun.with("", "validate")).isEqualTo(new CommandRun(2, "", """
                        sluice validate: missing FILE or --envoy-config DIR (expected: policies to check)
                        try: sluice validate --help
                        """));
    }

    private static final String ENVOY =
            "domain: edge\ndescriptors:\n  - { key: ip, rate_limit: { unit: second, requests_per_unit: 10 } }\n";

    private String envoyConfig(String... files) throws IOException {
        Path config = Files.createDirectories(directory.resolve("config"));
        for (int i = 0; i < files.length; i++) {
            Files.writeString(config.resolve("f" + i + ".yaml"), files[i]);
        }
        return config.toString();
    }

    @Test
    void envoyConfig_thatIsFine_isOk() throws IOException {
        String config = envoyConfig(ENVOY, ENVOY.replace("edge", "mesh"));

        assertThat(CommandRun.with("", "validate", "--envoy-config", config))
                .isEqualTo(new CommandRun(0, config + ": ok, 2 policies\n", ""));
    }

    @Test
    void envoyConfig_withWarnings_isOkWithExitCodeOne() throws IOException {
        String config = envoyConfig("domain: edge\ndescriptors:\n  - { key: ip, shadow_mode: true }\n");

        assertThat(CommandRun.with("", "validate", "--envoy-config", config))
                .isEqualTo(
                        new CommandRun(
                                1,
                                config + ": ok, 0 policies, 1 warning\n",
                                config
                                        + "/f0.yaml:3:29: warning: shadow_mode: has no effect, because there is no rate_limit\n"));
    }

    @Test
    void envoyConfig_withErrors_isRefusedWithAllOfThemInAllFiles() throws IOException {
        String config = envoyConfig(ENVOY.replace("second", "fortnight"), ENVOY.replace("key", "kay"), ENVOY);

        CommandRun ran = CommandRun.with("", "validate", "--envoy-config", config, file("good.yaml", GOOD));

        assertThat(ran.exitCode()).isEqualTo(2);
        assertThat(ran.err().lines())
                .hasSize(5)
                .allMatch(line ->
                        line.matches("\\Q" + config + "\\E/f[0-2].yaml:[0-9]+:[0-9]+: error: .* \\(expected: .*\\)"));
        assertThat(ran.out())
                .isEqualTo(directory.resolve("good.yaml") + ": ok, 1 policy\n" + config + ": refused, 5 errors\n");
    }

    @Test
    void envoyConfig_thatIsNoDirectoryOfFiles_isRefused() throws IOException {
        String file = file("good.yaml", GOOD);
        String missing = directory.resolve("missing").toString();
        String empty = envoyConfig();

        assertThat(CommandRun.with(
                        "", "validate", "--envoy-config", file, "--envoy-config", missing, "--envoy-config", empty))
                .isEqualTo(new CommandRun(
                        2,
                        empty + ": refused, 1 error\n",
                        file + ": not a directory (expected: a directory of envoyproxy/ratelimit files, in YAML)\n"
                                + missing
                                + ": no such file (expected: a directory of envoyproxy/ratelimit files, in YAML)\n"
                                + empty + ":1:1: error: no files (expected: *.yaml or *.yml)\n"));
    }
}
