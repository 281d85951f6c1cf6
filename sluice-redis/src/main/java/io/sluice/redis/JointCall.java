package io.sluice.redis;

import io.sluice.Decision;
import java.util.ArrayList;
import java.util.List;

/** Charges on keys of one slot, decided together. */
final class JointCall extends Call<JointCall.Answer> {
    /** In the order of the keys; no key twice. */
    final List<Ask> asks;

    /** Whether the caller was denied without Redis. */
    volatile boolean toldDenied;

    /** Permits asked of one key. */
    record Ask(RedisLimiter limiter, String key, long permits) {}

    /**
     * @param decisions one for each ask
     * @param receipts one for each ask that holds its permits
     */
    record Answer(List<Decision> decisions, List<byte[]> receipts) {
        /** Redis did not answer. */
        static final Answer MISSING = new Answer(List.of(), List.of());

        boolean isMissing() {
            return decisions.isEmpty();
        }

        boolean allowed() {
            return decisions.stream().allMatch(Decision::allowed);
        }
    }

    JointCall(Verb verb, List<Ask> asks, long deadline) {
        super(verb, asks.get(0).limiter(), asks.get(0).key(), asks.get(0).permits(), deadline);
        this.asks = asks;
    }

    @Override
    void encode(Bytes bytes, Batch batch) {
        for (Ask ask : asks.subList(1, asks.size())) {
            bytes.number(batch.number(ask.limiter(), ask.key()), 2).number(Math.min(ask.permits(), 1L << 52), 7);
        }
    }

    @Override
    void answer(Reply reply) {
        List<Decision> decisions = new ArrayList<>(asks.size());
        for (int i = 0; i < asks.size(); i++) {
            decisions.add(reply.verdict().decision());
        }
        List<byte[]> receipts = new ArrayList<>();
        boolean allowed = decisions.stream().allMatch(Decision::allowed);
        if (verb == Verb.HOLD && allowed) {
            for (int i = 0; i < asks.size(); i++) {
                receipts.add(reply.text((int) reply.number(2)));
            }
        }
        Answer answer = new Answer(decisions, receipts);
        if (claim()) {
            complete(answer);
        } else if (verb == Verb.HOLD) {
            giveBack(answer);
        } else if (verb == Verb.ALL && allowed && toldDenied) {
            asks.forEach(ask -> ask.limiter().giveBack(ask.key(), ask.permits()));
        }
    }

    void giveBack(Answer answer) {
        for (int i = 0; i < answer.receipts().size(); i++) {
            Ask ask = asks.get(i);
            ask.limiter().release(ask.key(), ask.permits(), answer.receipts().get(i));
        }
    }

    /** None: who asked decides for all charges together. */
    @Override
    Answer fallback() {
        return Answer.MISSING;
    }
}
