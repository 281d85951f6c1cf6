package io.sluice.spring.cost;

import io.sluice.spring.RequestCost;
import java.util.function.LongConsumer;

/** A cost that is charged as one sum at the end, and piece by piece after it. */
final class GrowingCost implements RequestCost {
    private final LongConsumer charge;
    private final LongConsumer settle;
    private long total;
    private boolean ended;

    /** @param charge charges permits without blocking */
    GrowingCost(LongConsumer charge) {
        this(charge, sum -> {
            if (sum > 0) {
                charge.accept(sum);
            }
        });
    }

    /**
     * A cost whose sum replaces an estimate.
     *
     * @param charge charges permits after the end, without blocking
     * @param settle takes the sum at the end, without blocking
     */
    GrowingCost(LongConsumer charge, LongConsumer settle) {
        this.charge = charge;
        this.settle = settle;
    }

    @Override
    public void add(long permits) {
        if (permits < 0) {
            throw new IllegalArgumentException("permits: " + permits + " (expected: >= 0)");
        }
        synchronized (this) {
            total = Math.addExact(total, permits);
            if (!ended) {
                return;
            }
        }
        charge.accept(permits);
    }

    @Override
    public synchronized long total() {
        return total;
    }

    /** The response is done. */
    void end() {
        long sum;
        synchronized (this) {
            if (ended) {
                return;
            }
            ended = true;
            sum = total;
        }
        settle.accept(sum);
    }
}
