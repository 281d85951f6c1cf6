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
 * Who can write to the directory can plant a link under a name that the server writes to. So no file is opened through a
 * link, and a file that is written is always a new one.
 */
/**
 * A directory that one server at a time keeps files in; each file is the whole old one or the whole new one, and only its owner
 * can read it.
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
     * Makes the directory if there is none, for its owner only, and takes it. One that is there keeps its permissions; the
     * log warns if everybody can read it.
     *
     * @throws SettingException if it cannot be written to
     * @throws StartException if another server has it
     */
    public static DataDir open(Path directory) {
        try {
            Files.createDirectories(directory, OwnerOnly.directory(directory));
            warnOfOthers(directory);
            FileChannel channel = lock(directory);
            if (locked(channel) == null) {
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

    private static void warnOfOthers(Path directory) throws IOException {
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

    private static @Nullable FileLock locked(FileChannel channel) throws IOException {
        try {
            return channel.tryLock();
        } catch (OverlappingFileLockException e) {
            // By a server in this process.
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

    /** Where a file of that name is. */
    public Path file(String name) {
        return directory.resolve(name);
    }

    /** Writes to a file. */
    @FunctionalInterface
    public interface Content {
        void writeTo(OutputStream out) throws IOException;
    }

    /** Replaces a file: after a crash, whenever it happens, there is the old one or this. */
    public void replace(String name, Content content) throws IOException {
        Path written = directory.resolve(name + ".tmp");
        // What a crash has left, or what somebody has planted.
        Files.deleteIfExists(written);
        try (FileChannel channel = FileChannel.open(written, NEW, OwnerOnly.file(directory))) {
            OutputStream out = new BufferedOutputStream(Channels.newOutputStream(channel), 1 << 16);
            content.writeTo(out);
            out.flush();
            channel.force(true);
        }
        Files.move(written, file(name), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        try (FileChannel itself = FileChannel.open(directory, StandardOpenOption.READ)) {
            itself.force(true);
        } catch (IOException e) {
            // Not every system lets directories be opened; those that do not keep the order by themselves.
        }
    }

    @Override
    public void close() throws IOException {
        lock.close();
    }
}
