package io.sluice.server.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.Limit;
import io.sluice.RateLimiter;
import io.sluice.memory.MemoryStore;
import io.sluice.server.SettingException;
import io.sluice.server.StartException;
import io.sluice.testkit.ManualTime;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SnapshotsTest {
    @TempDir
    Path path;

    private final ManualTime time = new ManualTime();

    private MemoryStore empty() {
        return MemoryStore.builder().time(time).build();
    }

    private static RateLimiter limiter(MemoryStore store) {
        return store.limiter("api", Limit.parse("1/s burst 10"));
    }

    private List<String> files() throws IOException {
        try (Stream<Path> files = Files.list(path)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }

    @Test
    void restart_continues_withTheElapsedTime() throws Exception {
        try (DataDir directory = DataDir.open(path);
                Snapshots snapshots = new Snapshots(directory, this::empty)) {
            limiter(snapshots.store()).tryAcquire("key", 8);
        }
        time.advance(Duration.ofSeconds(3));

        try (DataDir directory = DataDir.open(path);
                Snapshots snapshots = new Snapshots(directory, this::empty)) {
            assertThat(limiter(snapshots.store()).peek("key").remaining()).isEqualTo(5);
        }
        assertThat(files()).containsExactly("lock", "snapshot");
    }

    @Test
    void start_writesPeriodically_onlyAfterRequests() throws Exception {
        AtomicLong asked = new AtomicLong();
        try (DataDir directory = DataDir.open(path);
                Snapshots snapshots = new Snapshots(directory, this::empty)) {
            Looks looks = new Looks(asked);
            snapshots.start(Duration.ofMillis(1), looks::next);

            looks.awaitMore(3);
            Object first = written();
            looks.awaitMore(3);
            assertThat(written()).isEqualTo(first);
            asked.incrementAndGet();
            looks.awaitMore(3);
            assertThat(written()).isNotEqualTo(first);
        }
    }

    /** The identity of a file. A replaced file has another one. */
    private Object written() throws IOException {
        Path file = path.resolve("snapshot");
        return Files.exists(file)
                ? Files.readAttributes(file, "unix:ino").toString() + Files.getLastModifiedTime(file)
                : "none";
    }

    /** Counts how often the snapshot task checked for changes. */
    private static final class Looks {
        private final AtomicLong asked;
        private long count;

        Looks(AtomicLong asked) {
            this.asked = asked;
        }

        synchronized long next() {
            count++;
            notifyAll();
            return asked.get();
        }

        /** Waits for three checks: the first may have begun before, the second sees the change, the third begins after the write. */
        synchronized void awaitMore(int more) throws InterruptedException {
            for (long enough = count + more; count < enough; ) {
                wait();
            }
        }
    }

    @Test
    void truncatedSnapshot_isRenamed() throws Exception {
        try (DataDir directory = DataDir.open(path);
                Snapshots snapshots = new Snapshots(directory, this::empty)) {
            limiter(snapshots.store()).tryAcquire("key", 8);
        }
        byte[] whole = Files.readAllBytes(path.resolve("snapshot"));
        byte[] torn = java.util.Arrays.copyOf(whole, whole.length / 2);
        assertSetAside(torn);
    }

    @Test
    void foreignFile_isRenamed() throws Exception {
        assertSetAside("version: 1\n".getBytes(java.nio.charset.StandardCharsets.UTF_8));
        assertSetAside(new byte[0]);
    }

    private void assertSetAside(byte[] bytes) throws Exception {
        Files.write(path.resolve("snapshot"), bytes);
        try (DataDir directory = DataDir.open(path);
                Snapshots snapshots = new Snapshots(directory, this::empty)) {
            assertThat(limiter(snapshots.store()).peek("key").remaining()).isEqualTo(10);
        }
        List<String> aside = files().stream()
                .filter(name -> name.startsWith("snapshot.broken-"))
                .toList();
        assertThat(aside).hasSize(1);
        assertThat(path.resolve(aside.get(0))).hasBinaryContent(bytes);
        assertThat(files()).contains("snapshot");
        Files.delete(path.resolve(aside.get(0)));
    }

    @Test
    void directoryInUse_isRefused() throws Exception {
        try (DataDir first = DataDir.open(path)) {
            assertThat(first.file("lock")).exists();
            assertThatThrownBy(() -> DataDir.open(path))
                    .isInstanceOf(StartException.class)
                    .hasMessage("data-dir " + path + ": another server uses it (expected: a directory for each)");
        }
        DataDir.open(path).close();
    }

    @Test
    void directoryThatIsNotWritable_isRefused() throws Exception {
        Path file = Files.createFile(path.resolve("file"));
        assertThatThrownBy(() -> DataDir.open(file))
                .isInstanceOf(SettingException.class)
                .hasMessage("data-dir " + file + ": is a file (expected: a directory that can be written to)");
        assertThatThrownBy(() -> DataDir.open(file.resolve("below")))
                .isInstanceOf(SettingException.class)
                .hasMessageEndingWith("(expected: a directory that can be written to)");
    }

    @Test
    void replace_whenItFails_leavesTheOldFile() throws Exception {
        try (DataDir directory = DataDir.open(path)) {
            directory.replace("file", out -> out.write(1));

            assertThatThrownBy(() -> directory.replace("file", out -> {
                        out.write(2);
                        throw new IOException("disk full");
                    }))
                    .hasMessage("disk full");

            assertThat(path.resolve("file")).hasBinaryContent(new byte[] {1});
        }
    }
}
