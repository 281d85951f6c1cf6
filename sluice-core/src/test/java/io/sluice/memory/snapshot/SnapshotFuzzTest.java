package io.sluice.memory.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.CallLimiter;
import io.sluice.Limit;
import io.sluice.RateLimiter;
import io.sluice.memory.MemoryStore;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;

/** Damaged and forged snapshots are refused. */
class SnapshotFuzzTest {
    private static final int MUTANTS = 10_000;
    private static final int HEAD = SnapshotOutput.MAGIC.length() + 1;
    private static final long NOW = 1_767_225_600_000_000L;
    private static final List<String> LIMITS = List.of(
            "10/s burst 20",
            "10/s lockout 1h",
            "7 per 3s burst 9 refill interval",
            "leaky-bucket 3/s",
            "fixed-window 10/min",
            "fixed-window 10 per 1h from-first",
            "sliding-log 10/min",
            "sliding-counter 1000 per 1h slots 60");

    private final Random random = new Random(20260101);

    @Test
    void restore_tenThousandMutants_areRefusedAndChangeNothing() throws IOException {
        byte[] whole = saved();
        for (int i = 0; i < MUTANTS; i++) {
            byte[] mutant = mutate(whole);
            // Bytes after a complete snapshot are not read.
            if (Arrays.mismatch(mutant, whole) < whole.length && !Arrays.equals(mutant, whole)) {
                MemoryStore store = store();
                assertThatThrownBy(() -> store.restore(new ByteArrayInputStream(mutant)))
                        .as("mutant %s", i)
                        .isInstanceOf(SnapshotException.class)
                        .hasMessageStartingWith("snapshot: ")
                        .hasMessageContaining("(expected: ");
                assertUnused(store);
            }
        }
    }

    @Test
    void restore_truncatedAnywhere_isRefused() throws IOException {
        byte[] whole = saved();
        for (int length = 0; length < whole.length; length++) {
            byte[] truncated = Arrays.copyOf(whole, length);
            MemoryStore store = store();
            assertThatThrownBy(() -> store.restore(new ByteArrayInputStream(truncated)))
                    .isInstanceOf(SnapshotException.class);
            assertUnused(store);
        }
    }

    /** A mutated snapshot with correct checksums is restored or refused with a SnapshotException. Nothing else happens. */
    @Test
    void restore_tenThousandMutantsWithCorrectChecksums_areRefusedOrDecide() throws IOException {
        byte[] whole = saved();
        int restored = 0;
        for (int i = 0; i < MUTANTS; i++) {
            byte[] mutant = whole.clone();
            for (int changes = 1 + random.nextInt(3); changes > 0; changes--) {
                mutant[HEAD + random.nextInt(mutant.length - HEAD)] = (byte) random.nextInt();
            }
            fixChecksums(mutant);
            MemoryStore store = store();
            try {
                store.restore(new ByteArrayInputStream(mutant));
                restored++;
            } catch (SnapshotException refused) {
                assertUnused(store);
                continue;
            }
            for (int n = 0; n < LIMITS.size(); n++) {
                RateLimiter limiter = store.limiter("limiter" + n, Limit.parse(LIMITS.get(n)));
                for (int k = 0; k < 4; k++) {
                    limiter.check("key" + k, 1);
                    limiter.refund("key" + k, 3);
                    limiter.penalize("key" + k, 2);
                    limiter.peek("key" + k);
                }
            }
            CallLimiter calls = store.callLimiter("calls");
            for (int n = 0; n < LIMITS.size(); n++) {
                calls.peek("key" + n, 1, Limit.parse(LIMITS.get(n)));
                calls.check("key" + n, 1, Limit.parse(LIMITS.get(LIMITS.size() - 1 - n)));
                calls.refund("other" + n, 3);
            }
            store.save(new ByteArrayOutputStream());
        }
        assertThat(restored).as("mutants that could be read").isBetween(500, MUTANTS - 500);
    }

    @Test
    void restore_wrongLength_allocatesNoMemoryForIt() throws IOException {
        byte[] whole = saved();
        ByteBuffer.wrap(whole).putInt(HEAD + 1, Integer.MAX_VALUE);
        InputStream in = new InputStream() {
            private final ByteArrayInputStream bytes = new ByteArrayInputStream(whole);

            @Override
            public int read() {
                return bytes.read();
            }

            @Override
            public int read(byte[] b, int off, int len) {
                assertThat(len).as("bytes requested in one read").isLessThan(1 << 20);
                return bytes.read(b, off, len);
            }
        };
        assertThatThrownBy(() -> store().restore(in))
                .isInstanceOf(SnapshotException.class)
                .hasMessageStartingWith("snapshot: truncated at or after byte 8 ");
    }

    @Test
    void restore_otherFileOrNewerFormat_isRefusedWithTheReason() throws IOException {
        assertThatThrownBy(() -> store().restore(
                                new ByteArrayInputStream("version: 1\npolicies:".getBytes(StandardCharsets.UTF_8))))
                .isInstanceOf(SnapshotException.class)
                .hasMessage("snapshot: unknown header (expected: a file that a memory store has saved)");
        assertThatThrownBy(() -> store().restore(new ByteArrayInputStream(new byte[0])))
                .isInstanceOf(SnapshotException.class);
        byte[] newer = saved();
        newer[HEAD - 1] = 4;
        assertThatThrownBy(() -> store().restore(new ByteArrayInputStream(newer)))
                .isInstanceOf(SnapshotException.class)
                .hasMessage("snapshot: format 4 (expected: up to 3, the format that this version of Sluice writes)");
    }

    @Test
    void restore_invalidLimit_isRefusedWithTheLimiterName() throws IOException {
        byte[] whole = saved();
        String text = new String(whole, StandardCharsets.ISO_8859_1);
        whole[text.indexOf("leaky-bucket")] = 'f';
        fixChecksums(whole);
        assertThatThrownBy(() -> store().restore(new ByteArrayInputStream(whole)))
                .isInstanceOf(SnapshotException.class)
                .hasMessageContaining("limiter \"limiter3\": limit \"feaky-bucket 3/s\", column 1: ");
        byte[] calls = saved();
        calls[text.lastIndexOf("leaky-bucket")] = 'f';
        fixChecksums(calls);
        assertThatThrownBy(() -> store().restore(new ByteArrayInputStream(calls)))
                .isInstanceOf(SnapshotException.class)
                .hasMessageContaining("call limiter \"calls\": limit \"feaky-bucket 3/s\", column 1: ");
    }

    private byte[] mutate(byte[] whole) {
        int at = random.nextInt(whole.length);
        int length = random.nextInt(1, 200);
        byte[] mutant = whole.clone();
        switch (random.nextInt(5)) {
            case 0 -> mutant[at] ^= (byte) (1 << random.nextInt(8));
            case 1 -> mutant = Arrays.copyOf(whole, at);
            case 2 -> { // bytes are missing
                int end = Math.min(whole.length, at + length);
                mutant = Arrays.copyOf(whole, whole.length - (end - at));
                System.arraycopy(whole, end, mutant, at, whole.length - end);
            }
            case 3 -> { // bytes are repeated
                int end = Math.min(whole.length - 1, at + length);
                mutant = Arrays.copyOf(whole, whole.length + Math.max(0, end - at));
                System.arraycopy(whole, at, mutant, Math.max(at, end), whole.length - at);
            }
            default -> {
                for (int i = at; i < Math.min(whole.length, at + length); i++) {
                    mutant[i] = (byte) random.nextInt();
                }
            }
        }
        return mutant;
    }

    /** Computes the checksums again, up to the first block whose length is wrong. */
    private static void fixChecksums(byte[] snapshot) {
        CRC32C sum = new CRC32C();
        sum.update(snapshot, 0, HEAD);
        ByteBuffer buffer = ByteBuffer.wrap(snapshot);
        for (int at = HEAD; at + 5 <= snapshot.length; ) {
            long end = at + 5L + buffer.getInt(at + 1);
            if (end < at || end + 4 > snapshot.length) {
                return;
            }
            sum.update(snapshot, at, (int) end - at);
            buffer.putInt((int) end, (int) sum.getValue());
            sum.update(snapshot, (int) end, 4);
            at = (int) end + 4;
        }
    }

    private static MemoryStore store() {
        return MemoryStore.builder().time(() -> NOW).build();
    }

    private static void assertUnused(MemoryStore store) {
        assertThat(store.size()).isZero();
        assertThat(store.evictions()).isZero();
        assertThat(store.limiter("limiter0", Limit.parse("1/d"))
                        .check("key0", 1)
                        .allowed())
                .isTrue();
        assertThat(store.publication("policies").latest().toCompletableFuture().join())
                .isEmpty();
    }

    private static byte[] saved() throws IOException {
        MemoryStore store = store();
        for (int n = 0; n < LIMITS.size(); n++) {
            RateLimiter limiter = store.limiter("limiter" + n, Limit.parse(LIMITS.get(n)));
            for (int k = 0; k < 4; k++) {
                limiter.check("key" + k, k + 1);
                limiter.check("key" + k, 9);
                limiter.penalize("key" + k, 2);
            }
        }
        CallLimiter calls = store.callLimiter("calls");
        for (int n = 0; n < LIMITS.size(); n++) {
            calls.check("key" + n, 1, Limit.parse(LIMITS.get(n)));
            calls.check("other" + n, 2, Limit.parse(LIMITS.get(n)));
        }
        store.publication("policies").publish("one", 0);
        store.publication("policies").publish("two", 1);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        store.save(out);
        return out.toByteArray();
    }
}
