package io.sluice.server.logging;

import io.sluice.TimeSource;
import java.lang.System.Logger.Level;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/*
 * A client can send bad requests as often as it likes. If each were a line, it could fill the disk, and hide other events in the
 * noise. So there is at most one line for each kind of event and minute. The first is logged at once; the next one says how
 * many were left out. The number of kinds is bounded too, in case a client can invent them.
 */
/** A log for events that clients can cause: at most one line for each kind and minute, with a count. Thread-safe. */
public final class PeerLog {
    private static final long MINUTE_MICROS = 60_000_000;
    private static final int MAX_KINDS = 100;
    private static final String OTHERS = "";

    private final System.Logger logger;
    private final TimeSource time;
    private final Map<String, Kind> kinds = new ConcurrentHashMap<>();

    PeerLog(System.Logger logger, TimeSource time) {
        this.logger = logger;
        this.time = time;
    }

    /** A log that writes to the logger of that name. */
    public static PeerLog to(String logger) {
        return to(logger, TimeSource.system());
    }

    /** A log that writes to the logger of that name and uses another clock. */
    public static PeerLog to(String logger, TimeSource time) {
        return new PeerLog(System.getLogger(logger), time);
    }

    /**
     * Logs an event that a client caused, as a warning without a stack trace.
     *
     * @param kind one of a few; never contains text from a client
     */
    public void warn(String kind, String message) {
        long suppressed = suppressed(kind);
        if (suppressed >= 0) {
            logger.log(Level.WARNING, message + since(suppressed));
        }
    }

    /**
     * Logs a failure of this program or of its dependencies, as an error with the stack trace. Exceptions of the same class from
     * the same line are of one kind.
     */
    public void error(String message, Throwable thrown) {
        @Nullable StackTraceElement origin = ThrowOrigin.of(thrown);
        long suppressed = suppressed(thrown.getClass().getName() + " " + origin);
        if (suppressed >= 0) {
            logger.log(Level.ERROR, message + since(suppressed), thrown);
        }
    }

    private static String since(long suppressed) {
        return suppressed == 0 ? "" : " (and " + suppressed + " more of this kind since the last line)";
    }

    /** The number of events of a kind that were left out; negative if this one is left out too. */
    private long suppressed(String kind) {
        Kind known = kinds.get(kind);
        if (known == null) {
            String name = kinds.size() < MAX_KINDS ? kind : OTHERS;
            known = kinds.computeIfAbsent(name, unused -> new Kind());
        }
        return known.suppressed(time.micros());
    }

    private static final class Kind {
        private long next = Long.MIN_VALUE;
        private long suppressed;

        synchronized long suppressed(long now) {
            if (now < next) {
                suppressed++;
                return -1;
            }
            next = now + MINUTE_MICROS;
            long before = suppressed;
            suppressed = 0;
            return before;
        }
    }
}
