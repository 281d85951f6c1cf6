package io.sluice.server.logging;

import io.sluice.TimeSource;
import java.lang.System.Logger.Level;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/*
 * Whoever can reach a port can send what is refused, as often as it likes. If each time were a line, it could fill the disk, and
 * hide in the noise what else it does. So there is at most one line for each kind and minute, the first one at once; the next
 * one says how many were not told before it. The number of kinds is bounded too, in case that a client can make them up.
 */
/** A log of what peers can cause: one line for each kind and minute, with a count. Thread-safe. */
public final class PeerLog {
    private static final long MINUTE_MICROS = 60_000_000;
    private static final int MOST_KINDS = 100;
    private static final String OTHERS = "";

    private final System.Logger to;
    private final TimeSource time;
    private final Map<String, Kind> kinds = new ConcurrentHashMap<>();

    PeerLog(System.Logger to, TimeSource time) {
        this.to = to;
        this.time = time;
    }

    /** One that writes to the logger of that name. */
    public static PeerLog to(String logger) {
        return to(logger, TimeSource.system());
    }

    /** One that writes to the logger of that name, by another clock. */
    public static PeerLog to(String logger, TimeSource time) {
        return new PeerLog(System.getLogger(logger), time);
    }

    /**
     * Tells of something that a peer did, without a stack trace.
     *
     * @param kind one of a few, never made of what a peer sent
     * @param example what happened this time
     */
    public void peer(String kind, String example) {
        long untold = untold(kind);
        if (untold >= 0) {
            to.log(Level.WARNING, example + since(untold));
        }
    }

    /**
     * Tells of a mistake of this program, or of what it depends on, with the stack trace. Those are of one kind that have the same
     * class and come from the same line.
     *
     * @param what was being done this time
     */
    public void failure(String what, Throwable thrown) {
        @Nullable StackTraceElement origin = Origin.of(thrown);
        long untold = untold(thrown.getClass().getName() + " " + origin);
        if (untold >= 0) {
            to.log(Level.ERROR, what + since(untold), thrown);
        }
    }

    private static String since(long untold) {
        return untold == 0 ? "" : " (and " + untold + " more of this kind since it was last told)";
    }

    /** How many of a kind were not told; negative if this one is not told either. */
    private long untold(String kind) {
        Kind known = kinds.get(kind);
        if (known == null) {
            String name = kinds.size() < MOST_KINDS ? kind : OTHERS;
            known = kinds.computeIfAbsent(name, unused -> new Kind());
        }
        return known.untold(time.micros());
    }

    private static final class Kind {
        private long next = Long.MIN_VALUE;
        private long untold;

        synchronized long untold(long now) {
            if (now < next) {
                untold++;
                return -1;
            }
            next = now + MINUTE_MICROS;
            long before = untold;
            untold = 0;
            return before;
        }
    }
}
