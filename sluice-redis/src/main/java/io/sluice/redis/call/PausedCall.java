package io.sluice.redis.call;

import io.sluice.redis.script.Reply;
import io.sluice.redis.script.Verb;

/** Asks how long a key is still paused, in microseconds. Without Redis, the answer is 0. */
public final class PausedCall extends Call<Long> {
    public PausedCall(LimiterContext limiter, String key) {
        super(Verb.PAUSED, limiter, key, 0);
    }

    @Override
    void answer(Reply reply) {
        long rest = reply.number(7);
        if (claim()) {
            deliver(rest);
        }
    }

    /** The caller has its permits already. Without Redis, it may use them. */
    @Override
    Long fallback() {
        return 0L;
    }

    @Override
    void giveBack(Long rest) {}
}
