package io.sluice;

import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/** What {@link MemoryStore#take} took: either to be kept or to be given back. Thread-safe. */
public final class Taken {
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

    Taken(Decisions decisions, List<Part> parts, TimeSource time) {
        this.decisions = decisions;
        this.parts = parts;
        this.time = time;
    }

    /** How the charges were decided. */
    public Decisions decisions() {
        return decisions;
    }

    /** Keeps it. Only the first call of this or {@link #cancel} does anything. */
    public void keep() {
        if (settled.compareAndSet(false, true)) {
            for (Part part : parts) {
                if (part.held() > 0) {
                    part.receipt().keep(part.key(), part.held());
                }
            }
        }
    }

    /** Gives back exactly what is still unused. Only the first call of this or {@link #keep} does anything. */
    public void cancel() {
        if (settled.compareAndSet(false, true)) {
            for (Part part : parts) {
                part.receipt().giveBack(part.key(), part.permits(), part.held(), time);
                part.limiter().gaveBack(part.key());
            }
        }
    }
}
