package io.sluice.testkit;

import io.sluice.Decision;
import java.util.List;

/** Permits asked of one model for one key: judged by every limit when this is made, then taken or denied. */
final class Request {
    private final List<Ledger> ledgers;
    private final List<Verdict> verdicts;
    private final String key;
    private final long permits;
    private final long micros;

    Request(ReferenceModel model, String key, long permits, long micros) {
        this.ledgers = model.ledgers();
        this.key = key;
        this.permits = permits;
        this.micros = micros;
        this.verdicts = ledgers.stream()
                .map(ledger -> ledger.judge(key, permits, micros))
                .toList();
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

    /** Tells the limits that denied, and no others. */
    void deny() {
        for (int i = 0; i < ledgers.size(); i++) {
            if (!verdicts.get(i).allowed()) {
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
            Decision one = ledgers.get(i).report(key, permits, verdicts.get(i), micros);
            remaining = Math.min(remaining, one.remaining());
            retryAfter = Math.max(retryAfter, one.retryAfterMicros());
            resetAfter = Math.max(resetAfter, one.resetAfterMicros());
        }
        return new Decision(allowed(), remaining, retryAfter, allowed() ? delayMicros() : 0, resetAfter);
    }
}
