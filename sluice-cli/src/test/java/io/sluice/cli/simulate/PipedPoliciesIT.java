package io.sluice.cli.simulate;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.cli.PolicyFixtures;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Policies from a pipe, which has no length and no position. */
class PipedPoliciesIT {
    @TempDir
    Path directory;

    @BeforeEach
    void writeFiles() throws Exception {
        PolicyFixtures.file(directory, "policies.yaml", "  - { name: all, limit: 10/s }\n");
        Files.writeString(directory.resolve("requests.jsonl"), PolicyFixtures.request(0, 1));
    }

    @ParameterizedTest
    @CsvSource(delimiterString = "=>", textBlock = """
            cat policies.yaml | $sluice validate - => stdin: ok, 1 policy
            $sluice validate - < policies.yaml => stdin: ok, 1 policy
            $sluice validate /dev/stdin < policies.yaml => /dev/stdin: ok, 1 policy
            cat policies.yaml | $sluice validate /dev/stdin => /dev/stdin: ok, 1 policy
            mkfifo pipe; cat policies.yaml > pipe & $sluice validate pipe => pipe: ok, 1 policy
            $sluice validate <(cat policies.yaml) | sed s,/dev/fd/[0-9]*,it, => it: ok, 1 policy
            cat policies.yaml | $sluice explain --config - => would be allowed
            $sluice explain --config <(cat policies.yaml) => would be allowed
            cat policies.yaml | $sluice simulate --config - requests.jsonl => {"time_us":0,"allowed":true,
            $sluice simulate --config <(cat policies.yaml) < requests.jsonl => {"time_us":0,"allowed":true,
            cat policies.yaml | $sluice simulate --config policies.yaml --diff - requests.jsonl => 1 request
            """)
    void policies_fromAPipe_areReadAsFromAFile(String line, String expected) throws Exception {
        ProcessBuilder builder = new ProcessBuilder("bash", "-c", "set -o pipefail; " + line)
                .directory(directory.toFile())
                .redirectErrorStream(true);
        Path java = Path.of(System.getProperty("java.home"), "bin", "java");
        Path jar = Path.of("target", "sluice.jar").toAbsolutePath();
        builder.environment().put("sluice", java + " -jar " + jar);
        Process process = builder.start();
        process.getOutputStream().close();

        assertThat(new String(process.getInputStream().readAllBytes(), UTF_8)).startsWith(expected);
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).isZero();
    }
}
