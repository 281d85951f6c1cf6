package io.sluice.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.policy.envoy.EnvoyConfig;
import io.sluice.policy.envoy.EnvoyConfigWatch;
import io.sluice.policy.envoy.EnvoyEntry;
import io.sluice.testkit.Eventually;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A configuration directory that changes while an engine runs, in real time. */
class EnvoyConfigWatchIT {
    private final List<String> refused = new CopyOnWriteArrayList<>();

    @TempDir
    private Path folder;

    private EnvoyConfigWatch watch;
    private PolicyEngine engine;

    /**
     * As Kubernetes mounts a ConfigMap: the files are links into a directory, which is a link to one of the versions.
     */
    @BeforeEach
    void start() throws IOException {
        version("v1", "a", 10);
        Files.createSymbolicLink(folder.resolve("..data"), Path.of("v1"));
        Files.createSymbolicLink(folder.resolve("a.yaml"), Path.of("..data/a.yaml"));
        watch = EnvoyConfigWatch.open(folder);
        engine = PolicyEngine.builder().policies(watch.config().policies()).build();
        watch.follow(
                next -> engine.replace(next.policies()),
                problems -> refused.add(String.valueOf(problems.getMessage())));
        check("a", 4);
    }

    @AfterEach
    void stop() {
        watch.close();
        engine.close();
    }

    private static String config(String domain, int requests) {
        return "domain: " + domain
                + "\ndescriptors:\n- {key: k, rate_limit: {unit: year, algorithm: sliding-log, requests_per_unit: "
                + requests + "}}\n";
    }

    private void version(String name, String domain, int requests) throws IOException {
        Files.writeString(Files.createDirectories(folder.resolve(name)).resolve("a.yaml"), config(domain, requests));
    }

    /** The remaining permits; -1 if no rule matches, or the rule is being removed. */
    private long check(String domain, long permits) {
        return watch.config()
                .match(domain, List.of(new EnvoyEntry("k", "v")))
                .flatMap(match -> engine.check(match.attributes(), permits).results().stream()
                        .findFirst())
                .map(result -> result.decision().remaining())
                .orElse(-1L);
    }

    @Test
    void swappedLinks_areInForceAndKeepUse() throws IOException {
        version("v2", "a", 12);
        Files.createSymbolicLink(folder.resolve("next"), Path.of("v2"));
        Files.move(folder.resolve("next"), folder.resolve("..data"), StandardCopyOption.ATOMIC_MOVE);
        Eventually.await("swapped", () -> check("a", 0) == 8);
        WatchedFiles.replace(folder.resolve("b.yml"), config("b", 5));
        Eventually.await("added", () -> check("b", 0) == 5);
        Files.delete(folder.resolve("b.yml"));
        Eventually.await("removed", () -> check("b", 0) == -1);
        assertThat(check("a", 0)).isEqualTo(8);
        assertThat(refused).isEmpty();
    }

    @Test
    void badChange_isRefusedAndTheOldConfigStays_untilItIsRepaired() throws IOException {
        Path bad = folder.resolve("b.yaml");
        WatchedFiles.replace(bad, config("a", 5));
        Eventually.await("refused", () -> refused.size() == 1);
        assertThat(refused.get(0))
                .startsWith(bad + ":1:9: error: domain: \"a\" a second time")
                .contains("the first is in " + folder.resolve("a.yaml") + ":1");
        assertThat(check("a", 0)).isEqualTo(6);
        WatchedFiles.replace(bad, config("b", 5));
        Eventually.await("mended", () -> check("b", 0) == 5);
        Files.delete(bad);
        Eventually.await("removed", () -> check("b", 0) == -1);
        Files.delete(folder.resolve("a.yaml"));
        Eventually.await("nothing left", () -> refused.size() == 2);
        assertThat(refused.get(1)).isEqualTo(folder + ":1:1: error: no files (expected: *.yaml or *.yml)");
        assertThat(check("a", 0)).isEqualTo(6);
    }

    @Test
    void unreadableFile_isRefused() throws IOException {
        Files.createSymbolicLink(folder.resolve("c.yaml"), Path.of("nowhere"));
        Eventually.await("refused", () -> !refused.isEmpty());
        assertThat(refused.get(0)).startsWith(folder + ":1:1: error: cannot be read");
        assertThat(check("a", 0)).isEqualTo(6);
    }

    @Test
    void follow_twiceOrClosed_isRefused() {
        assertThatThrownBy(() -> watch.follow(next -> {}, problems -> {})).isInstanceOf(IllegalStateException.class);
        watch.close();
        assertThatThrownBy(() -> watch.follow(next -> {}, problems -> {})).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void change_listenerThrows_isNotTheConfig() throws IOException {
        watch.close();
        try (EnvoyConfigWatch failing = EnvoyConfigWatch.open(folder)) {
            EnvoyConfig before = failing.config();
            List<EnvoyConfig> tried = new CopyOnWriteArrayList<>();
            failing.follow(
                    next -> {
                        tried.add(next);
                        throw new IllegalStateException("expected here");
                    },
                    problems -> {});
            WatchedFiles.replace(folder.resolve("b.yaml"), config("b", 5));
            Eventually.await("tried", () -> tried.size() == 1);
            WatchedFiles.replace(folder.resolve("b.yaml"), config("b", 6));
            Eventually.await("tried again", () -> tried.size() == 2);
            assertThat(failing.config()).isSameAs(before);
        }
    }
}
