package io.sluice.redis.call;

import io.sluice.redis.script.Bytes;
import io.sluice.redis.script.Reply;
import io.sluice.redis.script.Verb;
import java.util.List;

/** Keeps the receipts of permits that were held, so that they can be settled later. Completes with whether Redis has done it. */
final class RecordCall extends Call<Boolean> {
    private final ReservationRecord record;
    private final List<byte[]> receipts;

    RecordCall(KeyCharge first, ReservationRecord record, List<byte[]> receipts, long deadline) {
        super(Verb.RECORD, first.limiter(), first.key(), first.permits(), deadline);
        this.record = record;
        this.receipts = receipts;
    }

    @Override
    int times(int merged) {
        return receipts.size();
    }

    @Override
    void encode(Bytes bytes, Batch batch) {
        record.encodeToKeep(bytes, batch);
        receipts.forEach(receipt -> bytes.number(receipt.length, 2).text(receipt));
    }

    @Override
    void answer(Reply reply) {
        if (claim()) {
            deliver(true);
        }
    }

    /** There are no permits to give back. */
    @Override
    void giveBack(Boolean kept) {}

    @Override
    Boolean fallback() {
        return false;
    }
}
