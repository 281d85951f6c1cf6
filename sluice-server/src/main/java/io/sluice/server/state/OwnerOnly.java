package io.sluice.server.state;

import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/** What a file or a directory is made with, so that nobody else can read it: from its first moment, not a moment later. */
final class OwnerOnly {
    private static final Set<PosixFilePermission> FILE = PosixFilePermissions.fromString("rw-------");
    private static final Set<PosixFilePermission> DIRECTORY = PosixFilePermissions.fromString("rwx------");

    private OwnerOnly() {}

    /** For a file in that directory. */
    static FileAttribute<?>[] file(Path directory) {
        return made(directory, FILE);
    }

    static FileAttribute<?>[] directory(Path directory) {
        return made(directory, DIRECTORY);
    }

    /** Nothing where files have no such permissions. */
    private static FileAttribute<?>[] made(Path where, Set<PosixFilePermission> permissions) {
        return where.getFileSystem().supportedFileAttributeViews().contains("posix")
                ? new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(permissions)}
                : new FileAttribute<?>[0];
    }
}
