package io.sluice.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.testkit.Eventually;
import io.sluice.testkit.MachineSpeed;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A policy file that changes while the engine runs, in real time. */
class PolicyEngineFileIT {
    private final List<String> refused = new CopyOnWriteArrayList<>();

    @TempDir
    private Path folder;

    private Path file;
    private PolicyEngine engine;

    @BeforeEach
    void start() {
        file = folder.resolve("policies.yaml");
        WatchedFiles.replace(file, limit("10/d"));
        engine = PolicyEngine.builder()
                .file(file)
                .listener(new PolicyListener() {
                    @Override
                    public void refused(PolicyException problems) {
                        refused.add(String.valueOf(problems.getMessage()));
                    }
                })
                .build();
        engine.check(Map.of(), 4);
    }

    @AfterEach
    void stop() {
        engine.close();
    }

    private static String limit(String limit) {
        return "version: 1\npolicies:\n  - name: all\n    limit: sliding-log " + limit + "\n";
    }

    private long remaining() {
        return engine.check(Map.of(), 0).results().get(0).decision().remaining();
    }

    @Test
    void fileChanges_isInForceWithinASecondAndKeepsUse() {
        try (MachineSpeed speed = new MachineSpeed()) {
            Duration inPlace = change(() -> WatchedFiles.overwrite(file, limit("12/d")), 8);
            Duration moved = change(() -> WatchedFiles.replace(file, limit("14/d")), 10);
            Duration again = change(() -> WatchedFiles.overwrite(file, limit("16/d")), 12);
            // A version decides requests as soon as its limits are in force, before the engine reports that version.
            Eventually.await("said to be in force", () -> engine.version() == 4);
            assertThat(refused).isEmpty();
            assertThat(Collections.min(List.of(inPlace, moved, again)))
                    .as("the fastest of three, scaled to the speed of this machine")
                    .isLessThan(speed.scale(Duration.ofSeconds(1)));
        }
    }

    private Duration change(Runnable change, long remaining) {
        change.run();
        return Eventually.await("remaining " + remaining, () -> remaining() == remaining);
    }

    @Test
    void badFile_isRefusedAndTheOldVersionStays_untilItIsRepaired() {
        WatchedFiles.replace(file, limit("12 furlongs"));
        Eventually.await("refused", () -> !refused.isEmpty());
        assertThat(refused.get(0))
                .startsWith(file + ":4:")
                .contains(": error: limit: ")
                .contains("expected: ");
        assertThat(remaining()).isEqualTo(6);
        assertThat(engine.version()).isEqualTo(1);
        WatchedFiles.replace(file, limit("12/d"));
        Eventually.await("mended", () -> remaining() == 8);
        assertThat(refused).as("each version is refused once").hasSize(1);
    }

    @Test
    void fileDeleted_theOldVersionStays_untilTheFileIsBack() throws IOException {
        Files.delete(file);
        Eventually.await("refused", () -> !refused.isEmpty());
        assertThat(refused.get(0)).startsWith(file + ":1:1: error: cannot be read");
        assertThat(remaining()).isEqualTo(6);
        WatchedFiles.replace(file, limit("12/d"));
        Eventually.await("back", () -> remaining() == 8);
    }

    @Test
    void build_badFile_isRefused() {
        WatchedFiles.replace(file, "version: 1\npolicies: [x]\n");
        assertThatThrownBy(() -> PolicyEngine.builder().file(file).build())
                .isInstanceOf(PolicyException.class)
                .hasMessageStartingWith(file + ":2:12: error: policy: \"x\"");
        assertThatThrownBy(() ->
                        PolicyEngine.builder().file(folder.resolve("none")).build())
                .isInstanceOf(UncheckedIOException.class);
    }
}
