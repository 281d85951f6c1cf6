package io.sluice.server.alerts;

import java.util.concurrent.atomic.LongAdder;

/** Counts alerts by the outcome of their delivery. */
final class DeliveryCounters {
    final LongAdder delivered = new LongAdder();
    final LongAdder failed = new LongAdder();
    final LongAdder dropped = new LongAdder();

    /** Alerts that were not posted because {@code webhook-hosts} does not allow the host. */
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
