package io.sluice.redis.call;

import io.sluice.redis.script.Bytes;
import io.sluice.redis.script.Reply;
import io.sluice.redis.script.Verb;

/** Gives a hold back, or makes Redis hold again what this process has entered without Redis. Calls on one key are merged. */
final class LeaveCall extends Call<HoldAnswer> {
    final long id;

    private LeaveCall(Verb verb, LimiterContext limiter, String key, long id) {
        super(verb, limiter, key, 0);
        this.id = id;
    }

    static LeaveCall leave(LimiterContext limiter, String key, long id) {
        return new LeaveCall(Verb.LEAVE, limiter, key, id);
    }

    /** The hold is made whatever is left. If Redis holds it already, nothing changes. */
    static LeaveCall readmit(LimiterContext limiter, String key, long id) {
        return new LeaveCall(Verb.READMIT, limiter, key, id);
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
        return HoldAnswer.UNKNOWN;
    }
}
