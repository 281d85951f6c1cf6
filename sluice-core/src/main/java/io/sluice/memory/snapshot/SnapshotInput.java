package io.sluice.memory.snapshot;

import io.sluice.memory.state.StateInput;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32C;

/** Reads the blocks that {@link SnapshotOutput} wrote. It never allocates more than the input has bytes. */
final class SnapshotInput implements StateInput {
    private final InputStream in;
    private final CRC32C sum = new CRC32C();

    /** How many bytes were read so far. */
    private long before;

    private int version;
    private byte[] block = {};
    private int at;

    SnapshotInput(InputStream in) {
        this.in = in;
    }

    /** Reads the header before the first block. */
    void header() throws IOException {
        byte[] magic = in.readNBytes(SnapshotOutput.MAGIC.length());
        if (!SnapshotOutput.MAGIC.equals(new String(magic, StandardCharsets.ISO_8859_1))) {
            throw new SnapshotException("unknown header (expected: a file that a memory store has saved)");
        }
        byte[] version = bytes(1);
        if (version[0] < SnapshotOutput.OLDEST || version[0] > SnapshotOutput.VERSION) {
            throw new SnapshotException("format " + (version[0] & 0xFF) + " (expected: up to " + SnapshotOutput.VERSION
                    + ", the format that this version of Sluice writes)");
        }
        this.version = version[0];
        sum.update(magic);
        sum.update(version);
        before = (long) magic.length + version.length;
    }

    @Override
    public int version() {
        return version;
    }

    /** Reads the next block. Returns its type. */
    int next() throws IOException {
        byte[] head = bytes(1 + Integer.BYTES);
        int length = intAt(head, 1);
        if (length < 0) {
            throw damaged();
        }
        block = bytes(length);
        at = 0;
        sum.update(head);
        sum.update(block);
        byte[] written = bytes(Integer.BYTES);
        if (intAt(written, 0) != (int) sum.getValue()) {
            throw damaged();
        }
        sum.update(written);
        before += (long) head.length + length + written.length;
        return head[0];
    }

    private SnapshotException damaged() {
        return new SnapshotException(
                "damaged at or after byte " + before + " (expected: the checksum of the saved bytes)");
    }

    private byte[] bytes(int length) throws IOException {
        byte[] bytes = in.readNBytes(length);
        if (bytes.length < length) {
            throw new SnapshotException(
                    "truncated at or after byte " + before + " (expected: more bytes, up to the end block)");
        }
        return bytes;
    }

    private static int intAt(byte[] bytes, int at) {
        int number = 0;
        for (int i = at; i < at + Integer.BYTES; i++) {
            number = (number << 8) | (bytes[i] & 0xFF);
        }
        return number;
    }

    /** Refuses a block that has bytes left. */
    void requireEnd() throws SnapshotException {
        if (at < block.length) {
            throw refused("bytes left in a block", block.length - at, 0);
        }
    }

    @Override
    public long number(String name, long max) throws SnapshotException {
        long number = number(name);
        if (number < 0 || number > max) {
            throw refused(name, number, max);
        }
        return number;
    }

    @Override
    public long signed(String name, long max) throws SnapshotException {
        long coded = number(name);
        long number = (coded >>> 1) ^ -(coded & 1);
        if (number < -max || number > max) {
            throw refused(name, number, max);
        }
        return number;
    }

    private SnapshotException refused(String name, long number, long max) {
        return refused(name + ": " + number + " (expected: at most " + max + ")");
    }

    /** An exception for an invalid value in this block, with its position. */
    SnapshotException refused(String why) {
        return new SnapshotException("at byte " + (before - block.length - Integer.BYTES + at) + ", " + why);
    }

    private long number(String name) throws SnapshotException {
        long number = 0;
        for (int shift = 0; shift < Long.SIZE; shift += 7) {
            int next = nextByte(name);
            number |= (long) (next & 0x7F) << shift;
            if (next < 0x80) {
                return number;
            }
        }
        throw refused(name + ": not a number (expected: at most 64 bits)");
    }

    private int nextByte(String name) throws SnapshotException {
        if (at == block.length) {
            throw refused(name + ": missing (expected: a longer block)");
        }
        return block[at++] & 0xFF;
    }

    String text(String name) throws SnapshotException {
        int length = (int) number(name, Integer.MAX_VALUE);
        if (length > block.length - at) {
            throw refused(name, length, block.length - at);
        }
        int ascii = 0;
        while (ascii < length && block[at + ascii] >= 0) {
            ascii++;
        }
        String begin = new String(block, at, ascii, StandardCharsets.US_ASCII);
        at += ascii;
        return ascii == length ? begin : begin + chars(name, length - ascii);
    }

    private String chars(String name, int length) throws SnapshotException {
        StringBuilder chars = new StringBuilder(length);
        while (chars.length() < length) {
            int first = nextByte(name);
            if (first < 0x80) {
                chars.append((char) first);
            } else if (first < 0xE0) {
                chars.append((char) ((first & 0x1F) << 6 | low(name)));
            } else {
                chars.append((char) ((first & 0xF) << 12 | low(name) << 6 | low(name)));
            }
        }
        return chars.toString();
    }

    private int low(String name) throws SnapshotException {
        return nextByte(name) & 0x3F;
    }
}
