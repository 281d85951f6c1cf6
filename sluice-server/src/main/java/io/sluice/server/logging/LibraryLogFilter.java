package io.sluice.server.logging;

import java.util.logging.Filter;
import java.util.logging.Formatter;
import java.util.logging.LogRecord;
import java.util.logging.SimpleFormatter;
import org.jspecify.annotations.Nullable;

/*
 * Netty and Vert.x log what clients cause: a failed handshake, a frame that breaks the protocol, a call that is cancelled while
 * its response is written. Each has a stack trace, and no handler of ours can stop all of them. So their events go to a PeerLog
 * instead. A stack trace is logged only if this program threw. If a library threw, the log has the class, the message and the
 * place.
 */
/** Sends the log events of Netty and Vert.x to a {@link PeerLog}, which limits their number. */
final class LibraryLogFilter implements Filter {
    private static final int MAX_LENGTH = 300;

    private final PeerLog log;
    private final Formatter format = new SimpleFormatter();

    LibraryLogFilter(PeerLog log) {
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
            log.warn(logger, message);
        } else if (ThrowOrigin.isOurs(ThrowOrigin.of(thrown))) {
            log.error(message, thrown);
        } else {
            Throwable root = ThrowOrigin.root(thrown);
            log.warn(
                    logger + " " + root.getClass().getName(),
                    message + ": " + shortened(root.toString()) + places(thrown));
        }
        return false;
    }

    private static String places(Throwable thrown) {
        @Nullable StackTraceElement origin = ThrowOrigin.of(thrown);
        @Nullable StackTraceElement ours = ThrowOrigin.ours(thrown);
        return origin == null ? "" : " at " + origin + (ours == null ? "" : ", called by " + ours);
    }

    private static String shortened(String text) {
        return text.length() <= MAX_LENGTH ? text : text.substring(0, MAX_LENGTH) + "...";
    }
}
