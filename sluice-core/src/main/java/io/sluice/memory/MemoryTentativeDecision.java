package io.sluice.memory;

import io.sluice.Decisions;
import io.sluice.TimeSource;
import io.sluice.memory.keys.Receipt;
import io.sluice.spi.TentativeDecision;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/** A tentative decision of a {@link MemoryStore}: permits are taken, until commit or cancel. Thread-safe. */
final class MemoryTentativeDecision implements TentativeDecision {
    private final Decisions decisions;
    private final List<Part> parts;
    private final TimeSource time;
    private final AtomicBoolean settled = new AtomicBoolean();

    /**
     * The permits that were taken from one key.
     *
     * @param tentative how many permits the key notes as tentative; 0 if its limit has no lockout
     * @param always whether they are taken even if the request is denied
     */
    record Part(MemoryChargeable limiter, String key, long permits, long tentative, Receipt receipt, boolean always) {}

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
                if (part.tentative() > 0) {
                    part.receipt().keep(part.key(), part.tentative());
                }
            }
        }
    }

    @Override
    public void cancel() {
        giveBack(true);
    }

    @Override
    public void deny() {
        giveBack(false);
    }

    private void giveBack(boolean all) {
        if (settled.compareAndSet(false, true)) {
            for (Part part : parts) {
                if (all || !part.always()) {
                    part.receipt().giveBack(part.key(), part.permits(), part.tentative(), time);
                    part.limiter().gaveBack(part.key());
                }
            }
        }
    }
}
