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

/** Replaces a file as a whole: whoever reads it, after whatever crash, finds what was there or what is there now. */
final class AtomicFile {
    private AtomicFile() {}

    /**
     * Returns when the disk has it. A link stays, and what it points to is replaced. For files that an operator has made, as
     * he has made them: with the same permissions.
     */
    static void replace(Path file, byte[] bytes, FileTime time) throws IOException {
        Path target = Files.exists(file) ? file.toRealPath() : file.toAbsolutePath();
        replace(target, bytes, time, Files.exists(target));
    }

    /**
     * Returns when the disk has it. A link is replaced itself, and what it points to stays as it is. For files that the
     * server keeps for itself: only its owner can read it.
     */
    static void replaceOwn(Path file, byte[] bytes, FileTime time) throws IOException {
        replace(file.toAbsolutePath(), bytes, time, false);
    }

    private static void replace(Path target, byte[] bytes, FileTime time, boolean asBefore) throws IOException {
        Path folder = Objects.requireNonNull(target.getParent());
        // A new file that nobody else can read, under a name that nobody can guess.
        Path fresh = Files.createTempFile(folder, "." + target.getFileName() + ".", ".tmp");
        try {
            write(fresh, bytes);
            Files.setLastModifiedTime(fresh, time);
            if (asBefore) {
                copyPermissions(target, fresh);
            }
            Files.move(fresh, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException | RuntimeException e) {
            Files.deleteIfExists(fresh);
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

    /** The new name as well; not every system can, and it is there all the same unless the machine fails. */
    private static void force(Path folder) {
        try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
            channel.force(true);
        } catch (IOException e) {
            System.getLogger("io.sluice.server")
                    .log(System.Logger.Level.DEBUG, "the folder {0} cannot be synced: {1}", folder, e);
        }
    }
}
