package io.sluice.redis;

import io.sluice.redis.Call.Verb;

/** Changes keys of one limiter: it is not decided but done. */
final class Changes {
    private static final byte[] NO_RECEIPT = {};

    private final RedisLimiter limiter;

    Changes(RedisLimiter limiter) {
        this.limiter = limiter;
    }

    ChangeCall refund(String key, long permits) {
        return change(Verb.REFUND, key, permits, NO_RECEIPT);
    }

    ChangeCall penalize(String key, long permits) {
        return change(Verb.PENALIZE, key, permits, NO_RECEIPT);
    }

    ChangeCall reset(String key) {
        return change(Verb.RESET, key, 0, NO_RECEIPT);
    }

    /** Denies a key for so many microseconds. */
    ChangeCall pause(String key, long micros) {
        return change(Verb.PAUSE, key, micros, NO_RECEIPT);
    }

    /** Gives back what was reserved. */
    ChangeCall cancel(String key, long permits, byte[] receipt) {
        return change(Verb.CANCEL, key, permits, receipt);
    }

    /** Gives back what was only held until all charges of a request were decided. */
    ChangeCall release(String key, long permits, byte[] receipt) {
        return change(Verb.RELEASE, key, permits, receipt);
    }

    private ChangeCall change(Verb verb, String key, long permits, byte[] receipt) {
        Input.require(key, permits);
        limiter.denials().forget(limiter, key);
        ChangeCall call = new ChangeCall(verb, limiter, key, permits, receipt);
        if (verb != Verb.PENALIZE && verb != Verb.PAUSE) {
            call.thenRun(() -> limiter.waiters().changed(key));
        }
        limiter.store().lanes.submit(call);
        return call;
    }

    /** Keeps what was only held: nothing becomes free. */
    void confirm(String key, long permits) {
        limiter.store().lanes.submit(new ChangeCall(Verb.CONFIRM, limiter, key, permits, NO_RECEIPT));
    }
}
