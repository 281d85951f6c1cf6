package io.sluice.memory.snapshot;

import io.sluice.Limit;
import io.sluice.TimeSource;
import io.sluice.memory.keys.KeyTable;
import io.sluice.memory.state.ActiveLimit;
import io.sluice.memory.state.State;
import io.sluice.spi.Edition;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/*
 * Decisions continue while a store is saved. A key is locked only while it is copied into a buffer, never while the buffer
 * is written. A limiter that is updated meanwhile is written again. So no limiter in a snapshot has keys of two limits.
 */
/** Writes the contents of a memory store. */
public final class SnapshotWriter {
    private static final int MAX_ATTEMPTS = 20;

    private final SnapshotOutput out;
    private final OutputStream stream;

    /** The time of the save, on both clocks. */
    private final long micros;

    private final long wallMicros;

    /** The limit of the previous key in the same block. */
    private @Nullable Limit before;

    private int limiters;
    private long keys;
    private int publications;

    public SnapshotWriter(OutputStream stream, TimeSource time) {
        this.stream = stream;
        this.out = new SnapshotOutput(stream);
        // In this order: a pause between the two readings must not count as time since the save.
        this.micros = time.micros();
        this.wallMicros = time.wallMicros();
    }

    /** Starts the snapshot. */
    public void begin() throws IOException {
        out.header();
        out.begin(SnapshotOutput.CLOCK);
        out.signed(wallMicros);
        out.end();
    }

    /** Completes the snapshot. */
    public Snapshot end() throws IOException {
        out.begin(SnapshotOutput.END);
        out.number(limiters);
        out.number(keys);
        out.number(publications);
        out.end();
        stream.flush();
        return new Snapshot(wallMicros, limiters, keys, publications);
    }

    /** Writes a limiter with its keys. */
    public void limiter(String name, Supplier<LimitsInForce> limits) throws IOException {
        for (int attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
            LimitsInForce inForce = limits.get();
            limiterBlock(name, inForce);
            long written = 0;
            for (int i = 0; i < inForce.tables().size(); i++) {
                written +=
                        writeKeys(inForce.tables().get(i), i, inForce.active().get(i));
            }
            if (limits.get().equals(inForce)) {
                limiters++;
                keys += written;
                return;
            }
        }
        throw new IOException("limiter \"" + name + "\": was updated during each of " + MAX_ATTEMPTS
                + " attempts to save it (expected: fewer updates)");
    }

    private void limiterBlock(String name, LimitsInForce inForce) throws IOException {
        List<Limit> limits = inForce.limits();
        out.begin(SnapshotOutput.LIMITER);
        out.text(name);
        out.number(limits.size());
        limits.forEach(limit -> out.text(limit.toString()));
        inForce.active().forEach(active -> out.number(limits.indexOf(active.limit)));
        out.end();
    }

    /** Returns the number of keys. */
    private long writeKeys(KeyTable table, int index, ActiveLimit active) throws IOException {
        long base = active.aligned ? wallMicros : micros;
        KeyTable.KeyWriter writer = (key, under, state) -> under == active && save(key, state, base);
        long keys = 0;
        begin(index);
        for (String key : table.entries.keySet()) {
            if (table.save(key, writer)) {
                keys++;
            } else if (table.activeLimit() != active) {
                break;
            }
            if (out.isFull()) {
                end(table, active, base);
                begin(index);
            }
        }
        end(table, active, base);
        return keys;
    }

    private boolean save(String key, State state, long base) {
        out.number(1);
        out.text(key);
        state.save(out, base);
        return true;
    }

    /** Writes a call limiter with its keys. */
    public void callLimiter(String name, KeyTable table) throws IOException {
        out.begin(SnapshotOutput.CALL_LIMITER);
        out.text(name);
        out.end();
        limiters++;
        out.begin(SnapshotOutput.CALL_KEYS);
        before = null;
        for (String key : table.entries.keySet()) {
            keys += table.save(key, this::saveWithLimit) ? 1 : 0;
            if (out.isFull()) {
                endCalls(table);
                out.begin(SnapshotOutput.CALL_KEYS);
            }
        }
        endCalls(table);
    }

    private boolean saveWithLimit(String key, ActiveLimit active, State state) {
        out.number(1);
        out.text(key);
        out.text(active.limit.equals(before) ? "" : active.limit.toString());
        before = active.limit;
        state.save(out, active.aligned ? wallMicros : micros);
        return true;
    }

    private void endCalls(KeyTable table) throws IOException {
        long[] earliestTimes = table.earliestTimes();
        out.number(0);
        out.signed(earliestTimes[0] - micros);
        out.signed(earliestTimes[1] - wallMicros);
        out.end();
        before = null;
    }

    private void begin(int table) {
        out.begin(SnapshotOutput.KEYS);
        out.number(table);
    }

    private void end(KeyTable table, ActiveLimit active, long base) throws IOException {
        out.number(0);
        out.signed(table.earliestTime(active) - base);
        out.end();
    }

    /** Writes a publication. One without editions is not written. */
    public void publication(String name, List<Edition> editions) throws IOException {
        if (editions.isEmpty()) {
            return;
        }
        out.begin(SnapshotOutput.PUBLICATION);
        out.text(name);
        out.number(editions.size());
        for (Edition edition : editions) {
            out.number(edition.number());
            out.signed(edition.micros());
            out.text(edition.text());
        }
        out.end();
        publications++;
    }
}
