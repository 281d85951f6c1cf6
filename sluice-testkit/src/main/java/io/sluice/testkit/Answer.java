package io.sluice.testkit;

import io.sluice.Decision;
import io.sluice.Limit;

/** A limit that keeps no state and always gives the same answer: unlimited, or blocked. */
record Answer(Limit limit, Decision decision) implements Ledger {
    @Override
    public Verdict judge(String key, long permits, long micros) {
        return new Verdict(decision.allowed(), 0);
    }

    @Override
    public Decision report(String key, long permits, Verdict verdict, long micros) {
        return decision;
    }

    @Override
    public long untilDue(String key, long permits, long micros) {
        return decision.retryAfterMicros();
    }

    @Override
    public boolean lends(String key, long permits, long micros) {
        return decision.allowed();
    }

    @Override
    public void take(String key, long permits, long micros) {}

    @Override
    public void deny(String key, long permits, long micros) {}

    @Override
    public void refund(String key, long permits, long micros) {}

    @Override
    public void penalize(String key, long permits, long micros) {}

    @Override
    public void reset(String key) {}

    @Override
    public void take(Hold hold, long micros) {}

    @Override
    public void cancel(Hold hold, long micros) {}

    @Override
    public Ledger copy() {
        return this;
    }

    @Override
    public boolean isLike(Ledger other) {
        return equals(other);
    }

    @Override
    public Ledger update(Limit next, long micros) {
        return Ledger.of(next);
    }
}
