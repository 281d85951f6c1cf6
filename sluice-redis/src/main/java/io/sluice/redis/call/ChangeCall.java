package io.sluice.redis.call;

import io.sluice.redis.script.Bytes;
import io.sluice.redis.script.Reply;
import io.sluice.redis.script.Verb;
import java.util.concurrent.CompletionStage;

/** Changes a key without a decision: refund, penalize, reset, cancel and similar verbs. Completes with whether Redis has executed it. */
public final class ChangeCall extends Call<Boolean> {
    private final byte[] receipt;

    /** How many permits of the receipt go back; for {@link Verb#UNDO} only. */
    private final long part;

    ChangeCall(Verb verb, LimiterContext limiter, String key, long permits, byte[] receipt) {
        this(verb, limiter, key, permits, permits, receipt);
    }

    private ChangeCall(Verb verb, LimiterContext limiter, String key, long permits, long part, byte[] receipt) {
        super(verb, limiter, key, permits);
        this.part = part;
        this.receipt = receipt;
    }

    static ChangeCall undo(LimiterContext limiter, String key, long permits, long part, byte[] receipt) {
        return new ChangeCall(Verb.UNDO, limiter, key, permits, part, receipt);
    }

    @Override
    void encode(Bytes bytes, Batch batch) {
        if (verb == Verb.CANCEL || verb == Verb.RELEASE) {
            bytes.number(receipt.length, 2).text(receipt);
        } else if (verb == Verb.UNDO) {
            bytes.number(part, 7).number(receipt.length, 2).text(receipt);
        }
    }

    @Override
    void answer(Reply reply) {
        // This was also done when the call was made, but a denial may have been remembered since.
        limiter.denials.forget(limiter, key);
        if (local != null && verb == Verb.PENALIZE) {
            local.taken(permits);
        } else if (local != null && verb == Verb.RESET) {
            local.reset();
        }
        if (claim()) {
            deliver(true);
        }
    }

    /** Completes when this call is settled. */
    @SuppressWarnings("NullAway") // a stage of nothing completes with null
    public CompletionStage<Void> done() {
        return thenApply(unused -> null);
    }

    /** There are no permits to give back. */
    @Override
    void giveBack(Boolean heard) {}

    @Override
    Boolean fallback() {
        limiter.events.lost(limiter.name, verb);
        return false;
    }
}
