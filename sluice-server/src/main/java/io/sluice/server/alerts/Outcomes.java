package io.sluice.server.alerts;

import java.util.concurrent.atomic.LongAdder;

/** What came of what was to be posted. */
final class Outcomes {
    final LongAdder delivered = new LongAdder();
    final LongAdder failed = new LongAdder();
    final LongAdder dropped = new LongAdder();

    long of(String outcome) {
        return switch (outcome) {
            case "delivered" -> delivered.sum();
            case "failed" -> failed.sum();
            default -> dropped.sum();
        };
    }
}
