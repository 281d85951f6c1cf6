package io.sluice.cli.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OciArchiveTest {
    @TempDir
    Path directory;

    /** Writes an image of a file that has this time. */
    private Path image(String name, FileTime time) throws IOException {
        Path files = Files.createDirectories(directory.resolve("files-" + name));
        for (String file : List.of("c", "a", "b")) {
            Files.setLastModifiedTime(Files.writeString(files.resolve(file), "text of " + file), time);
        }
        Files.createSymbolicLink(files.resolve("link"), Path.of("a"));
        Layer layer = Layer.write("test", new FileTree().copy("opt/x", files), directory.resolve(name + ".gz"));
        Path image = directory.resolve(name + ".tar");
        OciArchive.write(
                image, new Image(List.of(layer), false), ImageName.parse("sluice:1"), new Platform("linux", "amd64"));
        return image;
    }

    @Test
    void sameFiles_giveTheSameBytes_whateverTheirTimes() throws IOException {
        Path one = image("one", FileTime.fromMillis(1_000_000));
        Path other = image("other", FileTime.fromMillis(2_000_000_000));

        assertThat(one).hasSameBinaryContentAs(other);
    }

    @Test
    void file_thatExists_isReplacedAndNothingElseIsLeft() throws IOException {
        Files.writeString(directory.resolve("image.tar"), "old");

        Path image = image("image", FileTime.fromMillis(0));

        assertThat(Files.size(image)).isGreaterThan(5_000);
        assertThat(directory.resolve("image.tar.partial")).doesNotExist();
    }

    @Test
    void path_thatDoesNotFitTheFormat_isRefused() throws IOException {
        try (TarWriter tar = new TarWriter(OutputStream.nullOutputStream())) {
            tar.file("d".repeat(155) + "/" + "f".repeat(100), 0644, new byte[0]);
            assertThatThrownBy(() -> tar.file("f".repeat(101), 0644, new byte[0]))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageStartingWith("path: ffff");
            assertThatThrownBy(() -> tar.file("d".repeat(156) + "/f", 0644, new byte[0]))
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }
}
