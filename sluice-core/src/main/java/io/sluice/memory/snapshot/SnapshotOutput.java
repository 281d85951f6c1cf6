package io.sluice.memory.snapshot;

import io.sluice.memory.state.StateOutput;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.zip.CRC32C;

/*
 * A snapshot, as bytes:
 *
 *   snapshot    = "sluice" 0x1A version block...
 *   block       = type length content sum       length: 4 bytes; sum: CRC32C of everything before it, 4 bytes
 *   clock       'C'  the wall clock at the save, signed
 *   limiter     'L'  name, number of limits, their texts, and for each table the index of its limit
 *   keys        'K'  the index of a table of the latest limiter; for each key 1, its text and its state; 0, and the
 *                    earliest time
 *   calls       'M'  name of a call limiter
 *   call keys   'O'  for each key of the latest call limiter 1, its text, the text of its limit (empty for that of the key
 *                    before) and its state; 0, and the earliest times on the steady clock and on the wall clock
 *   publication 'P'  name, number of editions, and for each, the latest first: number, signed time, text
 *   end         'E'  the numbers of limiters (call limiters too), keys and publications
 *   number      = 7 bits in each byte, the lowest first; the highest bit is set if more bytes follow; signed: zigzag
 *   text        = the number of chars, and each char in 1 to 3 bytes: UTF-8, but char by char, so that any string works
 *
 * The clock is the first block and the end is the last. A limiter that comes again (it was updated during the save)
 * replaces the earlier one. Times are relative to the time of the save, on the clock of their limit. So the start value of
 * the steady clock does not matter. A checksum covers everything before it. So it finds a block that is lost, moved or
 * truncated as well as a flipped bit.
 */
/** Writes the blocks of a snapshot. */
final class SnapshotOutput implements StateOutput {
    static final String MAGIC = "sluice\u001a";
    static final int VERSION = 3;

    /** The format of the first release, without call limiters and pauses. */
    static final int OLDEST = 1;

    static final int CLOCK = 'C';
    static final int LIMITER = 'L';
    static final int KEYS = 'K';
    static final int CALL_LIMITER = 'M';
    static final int CALL_KEYS = 'O';
    static final int PUBLICATION = 'P';
    static final int END = 'E';

    private static final int FULL = 1 << 16;
    private static final int LENGTH_AT = 1;
    private static final int CONTENT_AT = 5;

    private final OutputStream out;
    private final CRC32C sum = new CRC32C();
    private byte[] bytes = new byte[1 << 10];
    private int size;

    SnapshotOutput(OutputStream out) {
        this.out = out;
    }

    /** Writes the header before the first block. */
    void header() throws IOException {
        for (int i = 0; i < MAGIC.length(); i++) {
            put(MAGIC.charAt(i));
        }
        put(VERSION);
        write();
    }

    void begin(int type) {
        put(type);
        putInt(0);
    }

    /** Whether the block is large enough to end it. */
    boolean isFull() {
        return size >= FULL;
    }

    /** Ends the block and writes it. */
    void end() throws IOException {
        int length = size - CONTENT_AT;
        size = LENGTH_AT;
        putInt(length);
        size += length;
        sum.update(bytes, 0, size);
        putInt((int) sum.getValue());
        // The checksum of the next block covers this checksum too.
        sum.update(bytes, size - Integer.BYTES, Integer.BYTES);
        out.write(bytes, 0, size);
        size = 0;
    }

    private void write() throws IOException {
        sum.update(bytes, 0, size);
        out.write(bytes, 0, size);
        size = 0;
    }

    @Override
    public void number(long number) {
        long rest = number;
        for (; rest >>> 7 != 0; rest >>>= 7) {
            put((int) rest | 0x80);
        }
        put((int) rest);
    }

    @Override
    public void signed(long number) {
        number((number << 1) ^ (number >> 63));
    }

    void text(String text) {
        int length = text.length();
        number(length);
        for (int i = 0; i < length; i++) {
            char c = text.charAt(i);
            if (c < 0x80) {
                put(c);
            } else if (c < 0x800) {
                put(0xC0 | (c >> 6));
                put(0x80 | (c & 0x3F));
            } else {
                put(0xE0 | (c >> 12));
                put(0x80 | ((c >> 6) & 0x3F));
                put(0x80 | (c & 0x3F));
            }
        }
    }

    private void putInt(int number) {
        for (int shift = 24; shift >= 0; shift -= 8) {
            put(number >> shift);
        }
    }

    private void put(int lowest) {
        if (size == bytes.length) {
            bytes = Arrays.copyOf(bytes, 2 * size);
        }
        bytes[size++] = (byte) lowest;
    }
}
