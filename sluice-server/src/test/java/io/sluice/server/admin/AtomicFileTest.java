package io.sluice.server.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AtomicFileTest {
    private static final FileTime TIME = FileTime.fromMillis(1_700_000_000_000L);

    @TempDir
    private Path folder;

    private static byte[] text(int i) {
        return ((i % 10) + "").repeat(1 + (i % 10) * 20_000).getBytes(StandardCharsets.US_ASCII);
    }

    @Test
    void replace_whileOthersRead_isAtomic() throws IOException {
        Path file = folder.resolve("file");
        AtomicFile.replace(file, text(0), TIME);
        AtomicBoolean done = new AtomicBoolean();
        CompletableFuture<Integer> reader = CompletableFuture.supplyAsync(() -> {
            int reads = 0;
            do {
                try {
                    byte[] found = Files.readAllBytes(file);
                    assertThat(found).isEqualTo(text(found[0] - '0'));
                } catch (IOException e) {
                    throw new AssertionError(e);
                }
                reads++;
            } while (!done.get());
            return reads;
        });
        for (int i = 0; i < 300; i++) {
            AtomicFile.replace(file, text(i), TIME);
        }
        done.set(true);
        assertThat(reader.join()).isPositive();
        assertThat(Files.getLastModifiedTime(file)).isEqualTo(TIME);
    }

    @Test
    void replace_whenItFails_leavesNoTemporaryFile() throws IOException {
        Path file = folder.resolve("file");
        Files.createDirectories(file.resolve("full"));
        assertThatThrownBy(() -> AtomicFile.replace(file, text(1), TIME)).isInstanceOf(IOException.class);
        try (Stream<Path> files = Files.list(folder)) {
            assertThat(files).containsExactly(file);
        }
    }

    private static String mode(Path file) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
    }

    @Test
    void replace_ofALink_replacesItsTarget_withTheSamePermissions() throws IOException {
        Path file = Files.createFile(folder.resolve("file"));
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
        Path link = Files.createSymbolicLink(folder.resolve("link"), file);
        AtomicFile.replace(link, text(3), TIME);
        assertThat(file).hasBinaryContent(text(3));
        assertThat(mode(file)).isEqualTo("rw-r--r--");
        assertThat(link).isSymbolicLink();
    }

    @Test
    void replaceOwn_ofALink_replacesTheLink_forTheOwnerOnly() throws IOException {
        Path file = Files.write(folder.resolve("file"), text(1));
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
        Path link = Files.createSymbolicLink(folder.resolve("link"), file);
        AtomicFile.replaceOwn(link, text(3), TIME);
        assertThat(file).hasBinaryContent(text(1));
        assertThat(link).isRegularFile().hasBinaryContent(text(3));
        assertThat(Files.isSymbolicLink(link)).isFalse();
        assertThat(mode(link)).isEqualTo("rw-------");
    }
}
