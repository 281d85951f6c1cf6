package io.sluice.cli.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.cli.CommandRun;
import io.sluice.cli.console.RunFailedException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ImageCommandTest {
    @TempDir
    Path directory;

    @Test
    void help_namesTheOptionsAndHowToLoadTheImage() {
        CommandRun ran = CommandRun.with("", "image", "--help");

        assertThat(ran.exitCode()).isZero();
        assertThat(ran.out())
                .contains("--output", "--name", "--no-class-archive", "docker load", "skopeo copy", "JDK with jlink");
    }

    @Test
    void name_withoutTag_isRefused() {
        assertThat(CommandRun.with("", "image", "--name", "sluice")).isEqualTo(new CommandRun(2, "", """
                        sluice image: --name "sluice" (expected: a name and a tag, such as sluice:1.0)
                        try: sluice image --help
                        """));
    }

    @Test
    void output_thatIsADirectory_isRefused() {
        assertThat(CommandRun.with("", "image", "--output", directory.toString()))
                .isEqualTo(new CommandRun(
                        2, "", "sluice image: --output " + directory + " is a directory (expected: a file)\n"));
    }

    @Test
    void output_inADirectoryThatIsMissing_isRefusedBeforeTheWork() {
        Path missing = directory.resolve("missing");
        assertThat(CommandRun.with(
                        "", "image", "--output", missing.resolve("image.tar").toString()))
                .isEqualTo(new CommandRun(
                        2,
                        "",
                        "sluice image: --output " + missing.resolve("image.tar") + ": " + missing
                                + " is not there (expected: a file in a directory that exists)\n"));
    }

    @Test
    void command_thatIsNotPackaged_isRefused() {
        assertThat(CommandRun.with(
                        "", "image", "--output", directory.resolve("image.tar").toString()))
                .isEqualTo(
                        new CommandRun(
                                2,
                                "",
                                "sluice image: this is not the packaged command (expected: the launcher, as in ./sluice image)\n"));
    }

    @Test
    void java_withoutJlink_isRefused() {
        assertThatThrownBy(() -> Jdk.of(directory))
                .isInstanceOf(RunFailedException.class)
                .hasMessage("needs a JDK with jlink (found: " + directory
                        + " without bin/jlink; install a JDK 17 or newer, or set JAVA_HOME to one)");
    }

    @Test
    void systemOtherThanLinux_isRefused() {
        assertThat(Platform.of("Linux", "aarch64")).hasToString("linux/arm64");
        assertThat(Platform.of("Linux", "amd64")).hasToString("linux/amd64");
        assertThatThrownBy(() -> Platform.of("Mac OS X", "aarch64"))
                .isInstanceOf(RunFailedException.class)
                .hasMessageStartingWith("this is Mac OS X (expected: Linux,");
    }
}
