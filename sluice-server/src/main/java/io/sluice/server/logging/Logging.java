package io.sluice.server.logging;

import java.io.PrintStream;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogManager;
import java.util.logging.Logger;

/** Configures the log of this process. The command calls it. */
public final class Logging {
    /** A strong reference, because the JDK holds loggers weakly and would lose their levels. */
    private static final List<Logger> QUIETED = List.of(
            // The store logs when Redis is lost and found again; the client would log every attempt.
            level("io.lettuce", Level.OFF), level("io.netty", Level.WARNING), level("io.vertx", Level.WARNING));

    private Logging() {}

    /**
     * Sends the log to one stream only.
     *
     * @param json whether lines are JSON instead of text
     */
    public static void to(PrintStream out, boolean json) {
        LogManager.getLogManager().reset();
        QUIETED.forEach(logger -> logger.setLevel(logger.getName().equals("io.lettuce") ? Level.OFF : Level.WARNING));
        Handler handler = new LineHandler(out);
        handler.setFilter(new LibraryLogFilter(PeerLog.to("io.sluice.server.peers")));
        handler.setFormatter(json ? new JsonFormat() : new TextFormat());
        Logger root = Logger.getLogger("");
        root.setLevel(Level.INFO);
        root.addHandler(handler);
    }

    private static Logger level(String name, Level level) {
        Logger logger = Logger.getLogger(name);
        logger.setLevel(level);
        return logger;
    }
}
