package io.sluice.server.simulate.trace;

import io.sluice.server.json.DisplayText;
import io.sluice.server.json.Utf8;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/*
 * A trace repeats few keys often, so a row should not need a new String. The table is a cache, not a set. A lookup probes a
 * few slots from the hash of the key on. If other keys occupy all of them, the new key replaces the first. So memory stays
 * bounded for any number of keys, and the table is never rehashed. The hashes are in their own array, so a lookup that
 * fails touches no other key.
 */
/** Creates {@link TraceKey}s from bytes, and mostly returns the same object for the same bytes. */
final class KeyCache {
    private static final int SLOTS = 1 << 17;
    private static final int PROBES = 8;
    private static final int LONGEST_KEPT = 256;

    private final int[] hashes = new int[SLOTS];
    private final @Nullable TraceKey[] keys = new @Nullable TraceKey[SLOTS];

    /** @throws InvalidTraceException if the bytes are not UTF-8 */
    TraceKey get(byte[] bytes, int length) {
        if (length > LONGEST_KEPT) {
            return create(bytes, length);
        }
        int hash = hash(bytes, length);
        int free = hash & (SLOTS - 1);
        for (int i = 0; i < PROBES; i++) {
            int slot = (hash + i) & (SLOTS - 1);
            if (hashes[slot] == hash) {
                TraceKey key = keys[slot];
                if (key != null && key.has(bytes, length)) {
                    return key;
                }
            } else if (hashes[slot] == 0) {
                free = slot;
                break;
            }
        }
        TraceKey key = create(bytes, length);
        hashes[free] = hash;
        keys[free] = key;
        return key;
    }

    /** A hash that is never 0; 0 marks an empty slot. */
    private static int hash(byte[] bytes, int length) {
        int hash = length;
        for (int i = 0; i < length; i++) {
            hash = 31 * hash + bytes[i];
        }
        hash *= 0x9E3779B9;
        return (hash ^ (hash >>> 16)) | Integer.MIN_VALUE;
    }

    private static TraceKey create(byte[] bytes, int length) {
        String text = new String(bytes, 0, length, StandardCharsets.UTF_8);
        if (text.indexOf('\uFFFD') >= 0) {
            requireUtf8(bytes, length);
        }
        return new TraceKey(Arrays.copyOf(bytes, length), text);
    }

    private static void requireUtf8(byte[] bytes, int length) {
        int wrong = Utf8.firstInvalid(bytes, 0, length);
        if (wrong >= 0) {
            throw new InvalidTraceException("key " + DisplayText.quoted(bytes, length) + " is not UTF-8: byte "
                    + Utf8.hex(bytes[wrong]) + " at byte " + (wrong + 1) + " of it (expected: UTF-8 text)");
        }
    }
}
