package io.sluice.redis.call;

import io.sluice.redis.script.Bytes;
import io.sluice.redis.script.Reply;
import io.sluice.redis.script.Verb;

/** Gives a hold back, or makes Redis hold again what this process has entered without Redis. Calls on one key are merged. */
final class LeaveCall extends Call<HoldAnswer> {
    private final long id;

    /** When the hold lapses by itself, if Redis does not answer. */
    private final long lapse;

    private LeaveCall(Verb verb, Hold hold, long lapse) {
        super(verb, hold.limiter(), hold.key(), 0);
        this.id = hold.id();
        this.lapse = lapse;
    }

    /** @param lapse when the hold lapses by itself. Until then, it is given back as soon as Redis answers. */
    static LeaveCall leave(Hold hold, long lapse) {
        return new LeaveCall(Verb.LEAVE, hold, lapse);
    }

    /** The hold is made whatever is left. If Redis holds it already, nothing changes. */
    static LeaveCall readmit(Hold hold) {
        return new LeaveCall(Verb.READMIT, hold, 0);
    }

    @Override
    void encode(Bytes bytes, Batch batch) {
        bytes.number(id, 8);
    }

    @Override
    boolean sending(Lane lane, LocalShares localShares) {
        return true;
    }

    @Override
    void answer(Reply reply) {
        boolean done = reply.number(1) == 1;
        if (claim()) {
            deliver(done || verb == Verb.READMIT ? HoldAnswer.DONE : HoldAnswer.ENDED);
        }
        if (done && verb == Verb.LEAVE) {
            limiter.changes().gaveBack(key);
        }
    }

    /** What was given back stays given back. */
    @Override
    void giveBack(HoldAnswer answer) {}

    @Override
    HoldAnswer fallback() {
        if (verb == Verb.LEAVE) {
            limiter.holds().leaveLater(new Hold(limiter, key, id), lapse);
        }
        return HoldAnswer.UNKNOWN;
    }
}
