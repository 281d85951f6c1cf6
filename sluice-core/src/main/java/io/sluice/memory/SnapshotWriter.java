package io.sluice.memory;

import io.sluice.Limit;
import io.sluice.TimeSource;
import io.sluice.memory.keys.Space;
import io.sluice.memory.state.State;
import io.sluice.memory.state.Terms;
import io.sluice.spi.Edition;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

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

    /** The limit of the key that was written last, in the same block. */
    private @Nullable Limit before;

    SnapshotWriter(OutputStream stream, TimeSource time) {
        this.stream = stream;
        this.out = new SnapshotOutput(stream);
        // In this order: a pause between the two must not look like time that has passed since the save.
        this.micros = time.micros();
        this.wallMicros = time.wallMicros();
    }

    Snapshot write(
            Collection<MemoryLimiter> limiters,
            Collection<MemoryCallLimiter> callLimiters,
            Collection<MemoryPublication> publications)
            throws IOException {
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
        for (MemoryCallLimiter calls : callLimiters) {
            keys += write(calls);
            written++;
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
        Space.Saving saving = (key, under, state) -> under == terms && save(key, state, base);
        long keys = 0;
        begin(index);
        for (String key : space.cells.keySet()) {
            if (space.save(key, saving)) {
                keys++;
            } else if (space.terms() != terms) {
                break;
            }
            if (out.isFull()) {
                end(space, terms, base);
                begin(index);
            }
        }
        end(space, terms, base);
        return keys;
    }

    private boolean save(String key, State state, long base) {
        out.number(1);
        out.text(key);
        state.save(out, base);
        return true;
    }

    /** How many keys it has. */
    private long write(MemoryCallLimiter calls) throws IOException {
        out.begin(SnapshotOutput.CALL_LIMITER);
        out.text(calls.name());
        out.end();
        Space space = calls.space;
        long keys = 0;
        out.begin(SnapshotOutput.CALL_KEYS);
        before = null;
        for (String key : space.cells.keySet()) {
            keys += space.save(key, this::saveWithLimit) ? 1 : 0;
            if (out.isFull()) {
                endCalls(space);
                out.begin(SnapshotOutput.CALL_KEYS);
            }
        }
        endCalls(space);
        return keys;
    }

    private boolean saveWithLimit(String key, Terms terms, State state) {
        out.number(1);
        out.text(key);
        out.text(terms.limit.equals(before) ? "" : terms.limit.toString());
        before = terms.limit;
        state.save(out, terms.aligned ? wallMicros : micros);
        return true;
    }

    private void endCalls(Space space) throws IOException {
        long[] floors = space.floors();
        out.number(0);
        out.signed(floors[0] - micros);
        out.signed(floors[1] - wallMicros);
        out.end();
        before = null;
    }

    private void begin(int space) {
        out.begin(SnapshotOutput.KEYS);
        out.number(space);
    }

    private void end(Space space, Terms terms, long base) throws IOException {
        out.number(0);
        out.signed(space.floor(terms) - base);
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
