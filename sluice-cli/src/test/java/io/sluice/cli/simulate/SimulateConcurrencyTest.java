package io.sluice.cli.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.cli.CommandRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Recorded requests do not say how long each was in flight, so concurrency limits are refused. */
class SimulateConcurrencyTest {
    private static final String REASON =
            " (expected: a limit on arrivals, such as 600/min; recorded requests do not say how long"
                    + " each was in flight)\n";

    @TempDir
    private Path directory;

    private String file(String name, String limit) throws IOException {
        Path file = directory.resolve(name);
        Files.writeString(file, "version: 1\npolicies:\n  - { name: p, limit: " + limit + " }\n");
        return file.toString();
    }

    @Test
    void limit_isRefused() {
        for (String limit : new String[] {"concurrency 5 hold 30s", "concurrency adaptive"}) {
            CommandRun ran = CommandRun.with("time_us,key,permits\n", "simulate", "--limit", "10/s", "--limit", limit);
            assertThat(ran.exitCode()).isEqualTo(2);
            assertThat(ran.err()).isEqualTo("sluice simulate: --limit: limit: " + limit + REASON);
        }
    }

    @Test
    void config_isRefused_unlessThePolicyIsOff() throws IOException {
        String rate = file("rate.yaml", "10/s");
        String held = file("held.yaml", "concurrency 5");
        String off = file("off.yaml", "concurrency 5, mode: off");
        for (String[] arguments :
                new String[][] {{"simulate", "--config", held}, {"simulate", "--config", rate, "--diff", held}}) {
            CommandRun ran = CommandRun.with("", arguments);
            assertThat(ran.exitCode()).isEqualTo(2);
            assertThat(ran.err()).isEqualTo("sluice simulate: " + held + ": policy \"p\": limits concurrency" + REASON);
        }
        assertThat(CommandRun.with("", "simulate", "--config", off).exitCode()).isZero();
    }
}
