package io.sluice.redis.call;

import io.sluice.redis.script.Bytes;
import io.sluice.redis.script.Format;
import io.sluice.redis.script.Reply;
import io.sluice.redis.script.Verb;
import java.util.List;

/** Renews holds on keys of one slot, all or none. */
final class RenewCall extends Call<HoldAnswer> {
    private final List<Hold> holds;
    private final List<KeyCharge> charges;
    private final Format how;

    /** @param how {@link Format#RENEW_ALL}, or {@link Format#RENEW_LOOK} to change nothing */
    RenewCall(List<Hold> holds, Format how) {
        super(Verb.RENEW, holds.get(0).limiter(), holds.get(0).key(), 0);
        this.holds = holds;
        this.charges = holds.stream().map(Hold::look).toList();
        this.how = how;
    }

    @Override
    List<KeyCharge> charges() {
        return charges;
    }

    @Override
    void encode(Bytes bytes, Batch batch) {
        for (int i = 0; i < holds.size(); i++) {
            Hold hold = holds.get(i);
            if (i > 0) {
                bytes.number(batch.number(hold.limiter(), hold.key()), 2);
            }
            bytes.number(hold.id(), 8);
        }
        bytes.number(how.code(), 1);
    }

    @Override
    boolean sending(Lane lane, LocalShares localShares) {
        return true;
    }

    @Override
    void answer(Reply reply) {
        boolean held = reply.number(1) == 1;
        if (claim()) {
            deliver(held ? HoldAnswer.DONE : HoldAnswer.ENDED);
        }
    }

    /** What was renewed stays renewed. */
    @Override
    void giveBack(HoldAnswer answer) {}

    @Override
    HoldAnswer fallback() {
        return HoldAnswer.UNKNOWN;
    }
}
