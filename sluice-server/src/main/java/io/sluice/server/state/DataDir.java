package io.sluice.server.state;

import io.sluice.server.SettingException;
import io.sluice.server.StartException;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/** A directory that one server at a time keeps files in; each file is the whole old one or the whole new one. */
public final class DataDir implements AutoCloseable {
    private final Path directory;
    private final FileChannel lock;

    private DataDir(Path directory, FileChannel lock) {
        this.directory = directory;
        this.lock = lock;
    }

    /**
     * Makes the directory if there is none, and takes it.
     *
     * @throws SettingException if it cannot be written to
     * @throws StartException if another server has it
     */
    public static DataDir open(Path directory) {
        try {
            Files.createDirectories(directory);
            FileChannel channel =
                    FileChannel.open(directory.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
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
        try (FileChannel channel = FileChannel.open(
                written, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.WRITE)) {
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
