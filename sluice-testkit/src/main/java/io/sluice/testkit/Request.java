package io.sluice.testkit;

import io.sluice.Decision;
import java.util.List;

/** Permits asked of one model for one key: judged by every limit when this is made, then taken or denied. */
final class Request {
    private final List<Ledger> ledgers;
    private final List<Verdict> verdicts;
    private final String key;
    private final long permits;
    private final Ask ask;
    private final long micros;

    /** What the limits would say if nothing were kept. */
    private final List<Verdict> withoutReserve;

    Request(ReferenceModel model, String key, long permits, long micros) {
        this(new Ask(model, key, permits), micros);
    }

    Request(Ask ask, long micros) {
        this.ledgers = ask.model().ledgers();
        this.ask = ask;
        this.key = ask.key();
        this.permits = ask.permits();
        this.micros = micros;
        this.verdicts = judge(ask.judged());
        this.withoutReserve = judge(permits);
    }

    private List<Verdict> judge(long permits) {
        return ledgers.stream()
                .map(ledger -> ledger.judge(key, permits, micros))
                .toList();
    }

    boolean shadow() {
        return ask.shadow();
    }

    boolean allowed() {
        return verdicts.stream().allMatch(Verdict::allowed);
    }

    long delayMicros() {
        return verdicts.stream().mapToLong(Verdict::delayMicros).max().orElse(0);
    }

    void take() {
        ledgers.forEach(ledger -> ledger.take(key, permits, micros));
    }

    /** Tells the limits that denied, and no others; nor those that did so only because of what is kept. */
    void deny() {
        for (int i = 0; i < ledgers.size(); i++) {
            if (!withoutReserve.get(i).allowed()) {
                ledgers.get(i).deny(key, permits, micros);
            }
        }
    }

    /** The limits' verdicts, and their state as it is now, as one decision: the strictest in every field. */
    Decision report() {
        long remaining = Long.MAX_VALUE;
        long retryAfter = 0;
        long resetAfter = 0;
        for (int i = 0; i < ledgers.size(); i++) {
            Decision one = ledgers.get(i).report(key, ask.judged(), verdicts.get(i), micros);
            boolean unlimited = one.remaining() == Long.MAX_VALUE;
            remaining = Math.min(remaining, unlimited ? one.remaining() : Math.max(0, one.remaining() - ask.kept()));
            retryAfter = Math.max(retryAfter, one.retryAfterMicros());
            resetAfter = Math.max(resetAfter, one.resetAfterMicros());
        }
        return new Decision(allowed(), remaining, retryAfter, allowed() ? delayMicros() : 0, resetAfter);
    }
}
