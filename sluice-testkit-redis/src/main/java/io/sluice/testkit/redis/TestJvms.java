package io.sluice.testkit.redis;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/*
 * Test JVMs belong to different modules and perhaps to different builds, so nobody can give them numbers beforehand. A lock of a
 * file is the agreement: the operating system frees it when the JVM ends, however it ends. A JVM locks each file at most once,
 * because closing any channel of a file frees all locks that the process has on it.
 */
/** Gives each test JVM on this machine a number of its own. */
final class TestJvms {
    /** The most JVMs that can run tests side by side. */
    static final int MAXIMUM = 16;

    /** The lock of this JVM. A channel that is garbage is closed, which would free the lock. */
    @SuppressWarnings("UnusedVariable")
    private static @Nullable FileChannel kept;

    private static final int NUMBER = take();

    private TestJvms() {}

    /** The number of this JVM, from 0 and below {@link #MAXIMUM}. No other JVM that runs has it. */
    static int number() {
        return NUMBER;
    }

    private static int take() {
        Path directory =
                Path.of(System.getProperty("java.io.tmpdir"), "sluice-test-jvms-" + System.getProperty("user.name"));
        try {
            Files.createDirectories(directory);
            for (int number = 0; number < MAXIMUM; number++) {
                FileChannel channel = FileChannel.open(
                        directory.resolve(Integer.toString(number)),
                        StandardOpenOption.CREATE,
                        StandardOpenOption.WRITE);
                if (channel.tryLock() != null) {
                    kept = channel;
                    return number;
                }
                channel.close();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        throw new IllegalStateException(
                MAXIMUM + " other JVMs run tests on this machine (expected: fewer than " + MAXIMUM + ")");
    }
}
