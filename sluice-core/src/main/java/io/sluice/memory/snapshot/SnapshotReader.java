package io.sluice.memory.snapshot;

import io.sluice.Limit;
import io.sluice.TimeSource;
import io.sluice.exact.Exact;
import io.sluice.memory.state.ActiveLimit;
import io.sluice.spi.Edition;
import io.sluice.spi.Publication;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads and checks a complete snapshot, before anything is added to a store. */
public final class SnapshotReader {
    private final SnapshotInput in;
    private final TimeSource time;
    private final Map<String, SnapshotLimiter> limiters = new LinkedHashMap<>();
    private final Map<String, SnapshotCallLimiter> calls = new LinkedHashMap<>();
    private final Map<String, List<Edition>> publications = new LinkedHashMap<>();

    public SnapshotReader(InputStream in, TimeSource time) {
        this.in = new SnapshotInput(in);
        this.time = time;
    }

    public Collection<SnapshotLimiter> limiters() {
        return limiters.values();
    }

    public Collection<SnapshotCallLimiter> calls() {
        return calls.values();
    }

    /** The editions of each publication, latest first. */
    public Map<String, List<Edition>> publications() {
        return publications;
    }

    public Snapshot read() throws IOException {
        in.header();
        requireType(in.next(), SnapshotOutput.CLOCK);
        SnapshotClock clock = SnapshotClock.of(in.signed("clock", Exact.MAX_TIME_SPAN), time);
        in.requireEnd();
        SnapshotLimiter latest = null;
        SnapshotCallLimiter latestCalls = null;
        for (int type = in.next(); type != SnapshotOutput.END; type = in.next()) {
            if (type == SnapshotOutput.LIMITER) {
                latest = readLimiter();
                limiters.put(latest.name(), latest);
            } else if (type == SnapshotOutput.KEYS) {
                requireLimiter(latest).read(in, clock);
            } else if (type == SnapshotOutput.CALL_LIMITER) {
                latestCalls = new SnapshotCallLimiter(in.text("name of a call limiter"), time);
                calls.put(latestCalls.name(), latestCalls);
            } else if (type == SnapshotOutput.CALL_KEYS) {
                requireLimiter(latestCalls).read(in, clock);
            } else {
                requireType(type, SnapshotOutput.PUBLICATION);
                readPublication();
            }
            in.requireEnd();
        }
        long keys = limiters.values().stream().mapToLong(SnapshotLimiter::keys).sum()
                + calls.values().stream().mapToLong(SnapshotCallLimiter::keys).sum();
        int all = limiters.size() + calls.size();
        requireCount("limiters", all);
        requireCount("keys", keys);
        requireCount("publications", publications.size());
        in.requireEnd();
        return new Snapshot(clock.wallMicros(), all, keys, publications.size());
    }

    private void requireCount(String name, long expected) throws SnapshotException {
        long count = in.number(name, Long.MAX_VALUE);
        if (count != expected) {
            throw in.refused(name + ": " + expected + " (expected: " + count + ")");
        }
    }

    private void requireType(int type, int expected) throws SnapshotException {
        if (type != expected) {
            throw in.refused("block of type " + type + " (expected: " + expected + ")");
        }
    }

    private <T> T requireLimiter(@Nullable T limiter) throws SnapshotException {
        if (limiter == null) {
            throw in.refused("keys (expected: a limiter first)");
        }
        return limiter;
    }

    private SnapshotLimiter readLimiter() throws SnapshotException {
        String name = in.text("name of a limiter");
        List<Limit> limits = new ArrayList<>();
        for (long left = in.number("limits", Integer.MAX_VALUE); left > 0; left--) {
            limits.add(readLimit(name));
        }
        if (limits.isEmpty()) {
            throw in.refused("limiter \"" + name + "\": no limit (expected: at least one)");
        }
        List<ActiveLimit> active = new ArrayList<>();
        for (int i = 0; i < limits.size(); i++) {
            active.add(new ActiveLimit(limits.get((int) in.number("limit of a table", limits.size() - 1)), time));
        }
        return new SnapshotLimiter(name, List.copyOf(limits), active);
    }

    private Limit readLimit(String limiter) throws SnapshotException {
        String text = in.text("limit");
        try {
            return Limit.parse(text);
        } catch (IllegalArgumentException e) {
            throw in.refused("limiter \"" + limiter + "\": " + e.getMessage());
        }
    }

    private void readPublication() throws SnapshotException {
        String name = in.text("name of a publication");
        List<Edition> editions = new ArrayList<>();
        long before = Long.MAX_VALUE;
        for (long left = in.number("editions", Publication.REMEMBERED); left > 0; left--) {
            long number = in.number("number of an edition", before - 1);
            editions.add(new Edition(number, in.signed("time of an edition", Long.MAX_VALUE), in.text("edition")));
            before = number;
        }
        if (editions.isEmpty()) {
            throw in.refused("publication \"" + name + "\": no edition (expected: at least one)");
        }
        publications.put(name, editions);
    }
}
