package io.sluice.server.alerts;

import java.util.concurrent.atomic.LongAdder;

/** What came of what was to be posted. */
final class Outcomes {
    final LongAdder delivered = new LongAdder();
    final LongAdder failed = new LongAdder();
    final LongAdder dropped = new LongAdder();

    /** Not posted, because the host is none that may be posted to. */
    final LongAdder refused = new LongAdder();

    long of(String outcome) {
        return switch (outcome) {
            case "delivered" -> delivered.sum();
            case "failed" -> failed.sum();
            case "refused" -> refused.sum();
            default -> dropped.sum();
        };
    }
}
