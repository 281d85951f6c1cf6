package io.sluice.redis;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Comparator;

/** What Redis decided about one key. */
record Decided(long micros, int key, int permits, boolean allowed, long remaining) {
    /*
     * Processes that are served within the same microsecond do not know who came first. But each admission leaves less
     * than the one before; and what is denied at a moment under a lockout is denied until that moment is over.
     */
    /** As decided, within each key. */
    static final Comparator<Decided> ORDER = Comparator.comparingLong(Decided::micros)
            .thenComparing(Decided::allowed, Comparator.reverseOrder())
            .thenComparing(Decided::remaining, Comparator.reverseOrder());

    static final int BYTES = 8 + 4 + 4 + 1 + 8;

    void write(DataOutput out) throws IOException {
        out.writeLong(micros);
        out.writeInt(key);
        out.writeInt(permits);
        out.writeBoolean(allowed);
        out.writeLong(remaining);
    }

    static Decided read(DataInput in) throws IOException {
        return new Decided(in.readLong(), in.readInt(), in.readInt(), in.readBoolean(), in.readLong());
    }
}
