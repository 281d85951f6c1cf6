package io.sluice.redis;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Comparator;

/** A decision of Redis on one key. */
record Decided(long micros, int key, int permits, boolean allowed, long remaining) {
    /*
     * The order of decisions in the same microsecond is not recorded. But each allowed request leaves fewer permits than the one
     * before, and under a lockout all requests after a denial in the same microsecond are denied.
     */
    /** The order of decisions on one key. */
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
