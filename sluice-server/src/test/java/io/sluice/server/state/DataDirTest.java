package io.sluice.server.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.server.CapturedServerLog;
import io.sluice.server.SettingException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Permissions of the data directory, and links that an attacker created in it. */
class DataDirTest {
    @TempDir
    Path folder;

    private static String mode(Path file) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
    }

    private static void chmod(Path file, String mode) throws IOException {
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(mode));
    }

    @Test
    void newDirectoryAndFiles_areForTheOwnerOnly() throws IOException {
        Path made = folder.resolve("parent/data");
        try (CapturedServerLog log = new CapturedServerLog();
                DataDir directory = DataDir.open(made)) {
            directory.replace("snapshot", out -> out.write(1));
            assertThat(log.warnings()).isEmpty();
        }
        assertThat(mode(made)).isEqualTo("rwx------");
        assertThat(mode(made.resolve("snapshot"))).isEqualTo("rw-------");
        assertThat(mode(made.resolve("lock"))).isEqualTo("rw-------");
    }

    @Test
    void existingDirectory_keepsItsMode_withAWarningIfEveryUserHasAccess() throws IOException {
        chmod(folder, "rwxr-xr-x");
        try (CapturedServerLog log = new CapturedServerLog();
                DataDir directory = DataDir.open(folder)) {
            directory.replace("snapshot", out -> out.write(1));
            assertThat(log.warnings())
                    .containsExactly("data-dir " + folder + ": every user of this machine has access (rwxr-xr-x);"
                            + " to keep it to the server: chmod 700 " + folder);
        }
        assertThat(mode(folder)).isEqualTo("rwxr-xr-x");
        assertThat(mode(folder.resolve("snapshot"))).isEqualTo("rw-------");
        // Kubernetes gives a volume to a group.
        chmod(folder, "rwxrwx---");
        try (CapturedServerLog log = new CapturedServerLog();
                DataDir directory = DataDir.open(folder)) {
            assertThat(directory.file("lock")).exists();
            assertThat(log.warnings()).isEmpty();
        }
    }

    @Test
    void snapshotThatEveryUserCouldRead_isReplacedByOneForTheOwnerOnly() throws IOException {
        chmod(Files.createFile(folder.resolve("snapshot")), "rw-r--r--");
        try (DataDir directory = DataDir.open(folder)) {
            directory.replace("snapshot", out -> out.write(1));
        }
        assertThat(mode(folder.resolve("snapshot"))).isEqualTo("rw-------");
    }

    @Test
    void links_areNotFollowed(@TempDir Path elsewhere) throws IOException {
        Path victim = Files.writeString(elsewhere.resolve("victim"), "precious");
        try (DataDir directory = DataDir.open(folder)) {
            Files.createSymbolicLink(folder.resolve("snapshot.tmp"), victim);
            Files.createSymbolicLink(folder.resolve("snapshot"), victim);
            directory.replace("snapshot", out -> out.write(1));
            assertThat(victim).hasContent("precious");
            Files.createLink(folder.resolve("snapshot.tmp"), victim);
            directory.replace("snapshot", out -> out.write(2));
        }
        assertThat(victim).hasContent("precious");
        assertThat(folder.resolve("snapshot")).hasBinaryContent(new byte[] {2});
        assertThat(Files.isSymbolicLink(folder.resolve("snapshot"))).isFalse();
        assertThat(folder.resolve("snapshot.tmp")).doesNotExist();
    }

    @Test
    void lock_whenALink_isRefused(@TempDir Path elsewhere) throws IOException {
        Path victim = elsewhere.resolve("victim");
        Files.createSymbolicLink(folder.resolve("lock"), victim);
        assertThatThrownBy(() -> DataDir.open(folder))
                .isInstanceOf(SettingException.class)
                .hasMessage("data-dir " + folder
                        + ": lock is a symbolic link (expected: a directory that can be written to)");
        assertThat(victim).doesNotExist();
    }
}
