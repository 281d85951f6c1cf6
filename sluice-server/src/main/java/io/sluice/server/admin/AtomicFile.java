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

    /** Returns when the disk has it. A link stays, and what it points to is replaced. */
    static void replace(Path file, byte[] bytes, FileTime time) throws IOException {
        Path target = Files.exists(file) ? file.toRealPath() : file.toAbsolutePath();
        Path folder = Objects.requireNonNull(target.getParent());
        Path fresh = Files.createTempFile(folder, "." + target.getFileName() + ".", ".tmp");
        try {
            write(fresh, bytes);
            Files.setLastModifiedTime(fresh, time);
            if (Files.exists(target)) {
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
