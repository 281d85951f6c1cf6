package io.sluice.memory;

import io.sluice.Decisions;
import io.sluice.TimeSource;
import io.sluice.memory.keys.Receipt;
import io.sluice.spi.TentativeDecision;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/** A tentative decision of a {@link MemoryStore}. */
final class MemoryTentativeDecision implements TentativeDecision {
    private final Decisions decisions;
    private final List<Part> parts;
    private final TimeSource time;
    private final AtomicBoolean settled = new AtomicBoolean();

    /**
     * What was taken of one key.
     *
     * @param held what was noted as held, so that nobody is locked out because of it; 0 where nobody can be
     */
    record Part(MemoryChargeable limiter, String key, long permits, long held, Receipt receipt) {}

    MemoryTentativeDecision(Decisions decisions, List<Part> parts, TimeSource time) {
        this.decisions = decisions;
        this.parts = parts;
        this.time = time;
    }

    @Override
    public Decisions decisions() {
        return decisions;
    }

    @Override
    public void commit() {
        if (settled.compareAndSet(false, true)) {
            for (Part part : parts) {
                if (part.held() > 0) {
                    part.receipt().keep(part.key(), part.held());
                }
            }
        }
    }

    @Override
    public void cancel() {
        if (settled.compareAndSet(false, true)) {
            for (Part part : parts) {
                part.receipt().giveBack(part.key(), part.permits(), part.held(), time);
                part.limiter().gaveBack(part.key());
            }
        }
    }
}
