package io.sluice.redis.call;

import io.sluice.redis.script.Arguments;
import io.sluice.redis.script.Verb;
import java.util.function.Consumer;

/** Changes keys of one limiter without a decision. */
public final class KeyChanges {
    private static final byte[] NO_RECEIPT = {};

    private final LimiterContext limiter;
    private final Lanes lanes;
    private final Consumer<String> gaveBack;

    /** @param gaveBack hears the keys to which permits were given back */
    KeyChanges(LimiterContext limiter, Lanes lanes, Consumer<String> gaveBack) {
        this.limiter = limiter;
        this.lanes = lanes;
        this.gaveBack = gaveBack;
    }

    public ChangeCall refund(String key, long permits) {
        return change(Verb.REFUND, key, permits, NO_RECEIPT);
    }

    public ChangeCall penalize(String key, long permits) {
        return change(Verb.PENALIZE, key, permits, NO_RECEIPT);
    }

    public ChangeCall reset(String key) {
        return change(Verb.RESET, key, 0, NO_RECEIPT);
    }

    /** Denies all requests on a key for so many microseconds. */
    public ChangeCall pause(String key, long micros) {
        return change(Verb.PAUSE, key, micros, NO_RECEIPT);
    }

    /** Gives back the permits of a reservation. */
    ChangeCall cancel(String key, long permits, byte[] receipt) {
        return change(Verb.CANCEL, key, permits, receipt);
    }

    /** Gives back permits that were held until all charges of a request were decided. */
    ChangeCall release(String key, long permits, byte[] receipt) {
        return change(Verb.RELEASE, key, permits, receipt);
    }

    private ChangeCall change(Verb verb, String key, long permits, byte[] receipt) {
        Arguments.require(key, permits);
        limiter.denials.forget(limiter, key);
        ChangeCall call = new ChangeCall(verb, limiter, key, permits, receipt);
        if (verb != Verb.PENALIZE && verb != Verb.PAUSE) {
            call.thenRun(() -> gaveBack.accept(key));
        }
        lanes.submit(call);
        return call;
    }

    /** Gives a part of the permits of a reservation back to where it came from. */
    ChangeCall undo(String key, long permits, long part, byte[] receipt) {
        limiter.denials.forget(limiter, key);
        ChangeCall call = ChangeCall.undo(limiter, key, permits, part, receipt);
        call.thenRun(() -> gaveBack.accept(key));
        lanes.submit(call);
        return call;
    }

    /** Wakes callers that wait for permits of a key. */
    void gaveBack(String key) {
        gaveBack.accept(key);
    }

    /** Keeps permits that were held. */
    void confirm(String key, long permits) {
        lanes.submit(new ChangeCall(Verb.CONFIRM, limiter, key, permits, NO_RECEIPT));
    }
}
