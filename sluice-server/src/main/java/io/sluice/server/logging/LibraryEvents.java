package io.sluice.server.logging;

import java.util.logging.Filter;
import java.util.logging.Formatter;
import java.util.logging.LogRecord;
import java.util.logging.SimpleFormatter;
import org.jspecify.annotations.Nullable;

/*
 * Netty and Vert.x log by themselves what a connection brings them: a handshake that is none, a frame that breaks the protocol, a
 * call that is cancelled while its answer is written; each time with a stack trace, and no handler of ours can stop all of them.
 * So their events do not go to the stream but to a PeerLog. The stack trace is worth its lines only where this program threw; of
 * what a library threw, the class, the message and the place are told.
 */
/** Takes the events of Netty and Vert.x out of the log, and tells of them as of what peers cause. */
final class LibraryEvents implements Filter {
    private static final int MOST_SHOWN = 300;

    private final PeerLog log;
    private final Formatter format = new SimpleFormatter();

    LibraryEvents(PeerLog log) {
        this.log = log;
    }

    @Override
    public boolean isLoggable(LogRecord event) {
        String logger = String.valueOf(event.getLoggerName());
        if (!logger.startsWith("io.netty.") && !logger.startsWith("io.vertx.")) {
            return true;
        }
        String message = logger + ": " + shortened(String.valueOf(format.formatMessage(event)));
        Throwable thrown = event.getThrown();
        if (thrown == null) {
            log.peer(logger, message);
        } else if (Origin.isOurs(Origin.of(thrown))) {
            log.failure(message, thrown);
        } else {
            Throwable root = Origin.root(thrown);
            log.peer(
                    logger + " " + root.getClass().getName(),
                    message + ": " + shortened(root.toString()) + places(thrown));
        }
        return false;
    }

    private static String places(Throwable thrown) {
        @Nullable StackTraceElement origin = Origin.of(thrown);
        @Nullable StackTraceElement ours = Origin.ours(thrown);
        return origin == null ? "" : " at " + origin + (ours == null ? "" : ", called by " + ours);
    }

    private static String shortened(String text) {
        return text.length() <= MOST_SHOWN ? text : text.substring(0, MOST_SHOWN) + "...";
    }
}
