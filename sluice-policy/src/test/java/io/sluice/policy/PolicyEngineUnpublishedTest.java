package io.sluice.policy;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.memory.MemoryStore;
import io.sluice.testkit.Eventually;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A policy file before the first publication. */
class PolicyEngineUnpublishedTest {
    private final MemoryStore store = MemoryStore.create();
    private final List<String> replaced = Collections.synchronizedList(new ArrayList<>());
    private Path file;
    private PolicyEngine engine;

    @BeforeEach
    void start(@TempDir Path folder) throws IOException {
        file = Files.writeString(folder.resolve("policies.yaml"), limit(10));
        engine = PolicyEngine.builder()
                .store(store)
                .file(file)
                .published()
                .listener(new PolicyListener() {
                    @Override
                    public void replaced(Policies policies, long version) {
                        replaced.add(version + ": " + policies.text());
                    }
                })
                .build();
    }

    @AfterEach
    void stop() {
        engine.close();
        store.close();
    }

    private static String limit(int permits) {
        return "version: 1\npolicies: [{ name: all, limit: sliding-log " + permits + " per 1d }]\n";
    }

    private long remaining() {
        return engine.check(Map.of(), 0).results().get(0).decision().remaining();
    }

    @Test
    void file_beforeAPublication_isFollowedWithoutAnEdition() throws IOException {
        WatchedFiles.replace(file, limit(11));
        Eventually.await("followed", () -> remaining() == 11);
        WatchedFiles.replace(file, limit(12));
        // A request may be decided by a new version a moment before the engine names that version.
        Eventually.await("followed again", () -> engine.policies().text().equals(limit(12)));
        assertThat(remaining()).isEqualTo(12);
        assertThat(engine.version()).isZero();
        assertThat(engine.edition()).isZero();
        assertThat(engine.publish(limit(20), 0)).isEqualTo(1);
        assertThat(remaining()).isEqualTo(20);
        assertThat(engine.version()).isEqualTo(1);
    }

    @Test
    void file_afterAPublication_isNotFollowed() throws IOException {
        engine.publish(limit(20), 0);
        try (PolicyEngine witness = PolicyEngine.builder().file(file).build()) {
            WatchedFiles.replace(file, limit(11));
            Eventually.await("the file could have been followed", () -> witness.version() == 2);
            WatchedFiles.replace(file, limit(12));
            Eventually.await("and once more", () -> witness.version() == 3);
        }
        assertThat(remaining()).isEqualTo(20);
        assertThat(replaced).containsExactly("1: " + limit(20));
    }

    @Test
    void replace_withTheContentOfTheFile_isNotReplacedAgain(@TempDir Path folder) throws IOException {
        Path own = Files.writeString(folder.resolve("own.yaml"), limit(10));
        try (PolicyEngine alone = PolicyEngine.builder().file(own).build();
                PolicyEngine witness = PolicyEngine.builder().file(own).build()) {
            alone.replace(Policies.parse(limit(11), "test"));
            WatchedFiles.replace(own, limit(11));
            Eventually.await("seen", () -> witness.version() == 2);
            WatchedFiles.replace(own, limit(12));
            Eventually.await("seen", () -> alone.policies().text().equals(limit(12)));
            assertThat(alone.version()).isEqualTo(3);
        }
    }
}
