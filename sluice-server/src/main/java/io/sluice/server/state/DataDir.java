package io.sluice.server.state;

import io.sluice.server.SettingException;
import io.sluice.server.StartException;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.System.Logger.Level;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/*
 * An attacker who can write to the directory can create a link under a name that the server writes to. So the server never opens
 * a file through a link, and always writes to a new file.
 */
/**
 * The data directory of a server. One server at a time uses it. Files are replaced atomically, and only their owner can read
 * them.
 */
public final class DataDir implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger("io.sluice.server");

    private static final Set<OpenOption> NEW =
            Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);

    private final Path directory;
    private final FileChannel lock;

    private DataDir(Path directory, FileChannel lock) {
        this.directory = directory;
        this.lock = lock;
    }

    /**
     * Opens and locks the directory. Creates it, for its owner only, if it does not exist. An existing directory keeps its
     * permissions; the log warns if everybody can read it.
     *
     * @throws SettingException if the server cannot write to it
     * @throws StartException if another server uses it
     */
    public static DataDir open(Path directory) {
        try {
            Files.createDirectories(directory, OwnerOnly.directory(directory));
            warnIfOthersHaveAccess(directory);
            FileChannel channel = lock(directory);
            if (tryLock(channel) == null) {
                channel.close();
                throw new StartException(
                        "data-dir " + directory + ": another server uses it (expected: a directory for each)");
            }
            return new DataDir(directory, channel);
        } catch (IOException e) {
            throw new SettingException(
                    "data-dir " + directory + ": " + reason(e) + " (expected: a directory that can be written to)");
        }
    }

    private static void warnIfOthersHaveAccess(Path directory) throws IOException {
        PosixFileAttributeView view = Files.getFileAttributeView(directory, PosixFileAttributeView.class);
        if (view == null) {
            return;
        }
        Set<PosixFilePermission> permissions = view.readAttributes().permissions();
        if (permissions.contains(PosixFilePermission.OTHERS_READ)
                || permissions.contains(PosixFilePermission.OTHERS_WRITE)) {
            LOG.log(
                    Level.WARNING,
                    "data-dir {0}: every user of this machine has access ({1}); to keep it to the server: chmod 700 {0}",
                    directory,
                    PosixFilePermissions.toString(permissions));
        }
    }

    private static FileChannel lock(Path directory) throws IOException {
        Path file = directory.resolve("lock");
        if (Files.isSymbolicLink(file)) {
            throw new IOException("lock is a symbolic link");
        }
        Set<OpenOption> options =
                Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
        return FileChannel.open(file, options, OwnerOnly.file(directory));
    }

    private static @Nullable FileLock tryLock(FileChannel channel) throws IOException {
        try {
            return channel.tryLock();
        } catch (OverlappingFileLockException e) {
            // A server in this process has the lock.
            return null;
        }
    }

    private static String reason(IOException e) {
        if (e instanceof AccessDeniedException) {
            return "permission denied";
        } else if (e instanceof FileAlreadyExistsException) {
            return "is a file";
        }
        return String.valueOf(e.getMessage());
    }

    /** The path of a file in the directory. */
    public Path file(String name) {
        return directory.resolve(name);
    }

    /** Writes the content of a file. */
    @FunctionalInterface
    public interface Content {
        void writeTo(OutputStream out) throws IOException;
    }

    /** Replaces a file atomically: after a crash there is either the old file or the new one. */
    public void replace(String name, Content content) throws IOException {
        Path temporary = directory.resolve(name + ".tmp");
        // A crash may have left it, or an attacker may have created it.
        Files.deleteIfExists(temporary);
        try (FileChannel channel = FileChannel.open(temporary, NEW, OwnerOnly.file(directory))) {
            OutputStream out = new BufferedOutputStream(Channels.newOutputStream(channel), 1 << 16);
            content.writeTo(out);
            out.flush();
            channel.force(true);
        }
        Files.move(temporary, file(name), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        try (FileChannel folder = FileChannel.open(directory, StandardOpenOption.READ)) {
            folder.force(true);
        } catch (IOException e) {
            // Not every system can open directories; those that cannot keep the order by themselves.
        }
    }

    @Override
    public void close() throws IOException {
        lock.close();
    }
}
