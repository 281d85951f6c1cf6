package io.sluice.server.state;

import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/** Attributes for creating files and directories that only their owner can read, from their creation on. */
final class OwnerOnly {
    private static final Set<PosixFilePermission> FILE = PosixFilePermissions.fromString("rw-------");
    private static final Set<PosixFilePermission> DIRECTORY = PosixFilePermissions.fromString("rwx------");

    private OwnerOnly() {}

    /** The attributes of a new file in that directory. */
    static FileAttribute<?>[] file(Path directory) {
        return attributes(directory, FILE);
    }

    static FileAttribute<?>[] directory(Path directory) {
        return attributes(directory, DIRECTORY);
    }

    /** Empty on file systems without POSIX permissions. */
    private static FileAttribute<?>[] attributes(Path path, Set<PosixFilePermission> permissions) {
        return path.getFileSystem().supportedFileAttributeViews().contains("posix")
                ? new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(permissions)}
                : new FileAttribute<?>[0];
    }
}
