package io.sluice;

import java.io.IOException;
import java.io.OutputStream;
import java.util.Collection;
import java.util.List;

/*
 * Decisions go on while a store is saved. A key is held only while it is copied into a buffer, never while that is
 * written. A limiter that is updated meanwhile is written once more, as it is then: so no limiter has keys of two limits.
 */
/** Writes what a memory store remembers. */
final class SnapshotWriter {
    private static final int MOST_TRIES = 20;

    private final SnapshotOutput out;
    private final OutputStream stream;

    /** When it is saved, on both clocks. */
    private final long micros;

    private final long wallMicros;

    SnapshotWriter(OutputStream stream, TimeSource time) {
        this.stream = stream;
        this.out = new SnapshotOutput(stream);
        // In this order: a pause between the two must not look like time that has passed since the save.
        this.micros = time.micros();
        this.wallMicros = time.wallMicros();
    }

    Snapshot write(Collection<MemoryLimiter> limiters, Collection<MemoryPublication> publications) throws IOException {
        out.head();
        out.begin(SnapshotOutput.CLOCK);
        out.signed(wallMicros);
        out.end();
        int written = 0;
        long keys = 0;
        for (MemoryLimiter limiter : limiters) {
            if (!limiter.isForgotten()) {
                keys += write(limiter);
                written++;
            }
        }
        int published = 0;
        for (MemoryPublication publication : publications) {
            published += write(publication);
        }
        out.begin(SnapshotOutput.END);
        out.number(written);
        out.number(keys);
        out.number(published);
        out.end();
        stream.flush();
        return new Snapshot(wallMicros, written, keys, published);
    }

    /** How many keys it has. */
    private long write(MemoryLimiter limiter) throws IOException {
        for (int tries = 0; tries < MOST_TRIES; tries++) {
            MemoryLimiter.InForce inForce = limiter.inForce();
            head(limiter.name(), inForce);
            long keys = 0;
            for (int i = 0; i < inForce.spaces().size(); i++) {
                keys += writeKeys(inForce.spaces().get(i), i, inForce.terms().get(i));
            }
            if (limiter.inForce().equals(inForce)) {
                return keys;
            }
        }
        throw new IOException("limiter \"" + limiter.name() + "\": was updated whenever it was being saved, "
                + MOST_TRIES + " times (expected: fewer updates)");
    }

    private void head(String name, MemoryLimiter.InForce inForce) throws IOException {
        List<Limit> limits = inForce.limits();
        out.begin(SnapshotOutput.LIMITER);
        out.text(name);
        out.number(limits.size());
        limits.forEach(limit -> out.text(limit.toString()));
        inForce.terms().forEach(terms -> out.number(limits.indexOf(terms.limit)));
        out.end();
    }

    private long writeKeys(Space space, int index, Terms terms) throws IOException {
        long base = terms.aligned ? wallMicros : micros;
        long keys = 0;
        begin(index);
        for (String key : space.cells.keySet()) {
            if (space.save(key, terms, out, base)) {
                keys++;
            } else if (space.terms() != terms) {
                break;
            }
            if (out.isFull()) {
                end(space, base);
                begin(index);
            }
        }
        end(space, base);
        return keys;
    }

    private void begin(int space) {
        out.begin(SnapshotOutput.KEYS);
        out.number(space);
    }

    private void end(Space space, long base) throws IOException {
        out.number(0);
        out.signed(space.floor() - base);
        out.end();
    }

    /** How many publications that makes: one without editions is none. */
    private int write(MemoryPublication publication) throws IOException {
        List<Edition> editions = publication.editions();
        if (editions.isEmpty()) {
            return 0;
        }
        out.begin(SnapshotOutput.PUBLICATION);
        out.text(publication.name());
        out.number(editions.size());
        for (Edition edition : editions) {
            out.number(edition.number());
            out.signed(edition.micros());
            out.text(edition.text());
        }
        out.end();
        return 1;
    }
}
