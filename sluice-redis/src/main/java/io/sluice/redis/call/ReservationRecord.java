package io.sluice.redis.call;

import io.sluice.redis.script.Bytes;
import io.sluice.redis.script.Format;

/** Where Redis keeps what the charges of a reservation have taken on one slot; {@code settle.lua} describes it. */
final class ReservationRecord {
    private final byte[] name;
    private final byte[] digest;
    private final long ttlMicros;

    /** @param ttlMicros how long it is kept; 0 for a record that is only settled */
    ReservationRecord(byte[] name, byte[] digest, long ttlMicros) {
        this.name = name;
        this.digest = digest;
        this.ttlMicros = ttlMicros;
    }

    void encodeToKeep(Bytes bytes, Batch batch) {
        bytes.number(batch.recordNumber(name), 2).number(ttlMicros, 7).text(digest);
    }

    void encodeToSettle(Bytes bytes, Batch batch, Format how) {
        bytes.number(batch.recordNumber(name), 2).text(digest).number(how.code(), 1);
    }
}
