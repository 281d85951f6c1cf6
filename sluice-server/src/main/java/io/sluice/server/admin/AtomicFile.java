package io.sluice.server.admin;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFileAttributeView;
import java.util.Objects;

/** Replaces files atomically: a reader finds either the old content or the new, even after a crash. */
final class AtomicFile {
    private AtomicFile() {}

    /**
     * Replaces a file of an operator, and returns when it is on the disk. If the file is a link, its target is replaced. The
     * permissions stay the same.
     */
    static void replace(Path file, byte[] bytes, FileTime time) throws IOException {
        Path target = Files.exists(file) ? file.toRealPath() : file.toAbsolutePath();
        replace(target, bytes, time, Files.exists(target));
    }

    /**
     * Replaces a file of the server, and returns when it is on the disk. A link itself is replaced, not its target. Only the
     * owner can read the file.
     */
    static void replaceOwn(Path file, byte[] bytes, FileTime time) throws IOException {
        replace(file.toAbsolutePath(), bytes, time, false);
    }

    private static void replace(Path target, byte[] bytes, FileTime time, boolean keepPermissions) throws IOException {
        Path folder = Objects.requireNonNull(target.getParent());
        // Only the owner can read a temporary file, and nobody can guess its name.
        Path temporary = Files.createTempFile(folder, "." + target.getFileName() + ".", ".tmp");
        try {
            write(temporary, bytes);
            Files.setLastModifiedTime(temporary, time);
            if (keepPermissions) {
                copyPermissions(target, temporary);
            }
            Files.move(temporary, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException | RuntimeException e) {
            Files.deleteIfExists(temporary);
            throw e;
        }
        force(folder);
    }

    private static void write(Path file, byte[] bytes) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            ByteBuffer rest = ByteBuffer.wrap(bytes);
            while (rest.hasRemaining()) {
                channel.write(rest);
            }
            channel.force(true);
        }
    }

    private static void copyPermissions(Path from, Path to) throws IOException {
        PosixFileAttributeView view = Files.getFileAttributeView(to, PosixFileAttributeView.class);
        if (view != null) {
            view.setPermissions(Files.getPosixFilePermissions(from));
        }
    }

    /** Forces the new name to the disk. Not every system can; then the name is lost only if the machine fails. */
    private static void force(Path folder) {
        try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
            channel.force(true);
        } catch (IOException e) {
            System.getLogger("io.sluice.server")
                    .log(System.Logger.Level.DEBUG, "the folder {0} cannot be synced: {1}", folder, e);
        }
    }
}
