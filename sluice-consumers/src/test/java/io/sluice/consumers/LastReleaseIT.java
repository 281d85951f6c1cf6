package io.sluice.consumers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The API is compared with the last release, if there is one. */
class LastReleaseIT {
    private static final String OPTION = "-Dsluice.last-release=";

    @Test
    void configuration_namesTheNewestTag() throws Exception {
        assumeThat(Surroundings.ROOT.resolve(".git")).as("a checkout").exists();
        Process git = new ProcessBuilder("git", "tag", "--list", "v*", "--sort=-v:refname")
                .directory(Surroundings.ROOT.toFile())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        List<String> tags = new String(git.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
                .lines()
                .toList();
        assertThat(git.waitFor()).isZero();
        List<String> newest =
                tags.stream().limit(1).map(tag -> OPTION + tag.substring(1)).toList();
        // A release itself is compared with the one before it.
        if (!newest.equals(List.of(OPTION + Surroundings.VERSION))) {
            assertThat(configured()).isEqualTo(newest);
        }
    }

    private static List<String> configured() throws IOException {
        Path file = Surroundings.ROOT.resolve(".mvn/maven.config");
        return Files.exists(file)
                ? Files.readAllLines(file).stream()
                        .filter(line -> line.startsWith(OPTION))
                        .toList()
                : List.of();
    }
}
