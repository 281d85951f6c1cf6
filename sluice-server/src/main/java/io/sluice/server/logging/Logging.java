package io.sluice.server.logging;

import java.io.PrintStream;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogManager;
import java.util.logging.Logger;

/** Sends what this process logs to one stream. */
public final class Logging {
    /** Loggers are held weakly by the JDK: their levels would be forgotten. */
    private static final List<Logger> QUIETED = List.of(
            // The store says itself when it loses Redis and finds it again; the client would repeat it for every
            // attempt.
            level("io.lettuce", Level.OFF), level("io.netty", Level.WARNING), level("io.vertx", Level.WARNING));

    private Logging() {}

    /**
     * Logs there from now on, and nowhere else.
     *
     * @param json lines of JSON, instead of text
     */
    public static void to(PrintStream out, boolean json) {
        LogManager.getLogManager().reset();
        QUIETED.forEach(logger -> logger.setLevel(logger.getName().equals("io.lettuce") ? Level.OFF : Level.WARNING));
        Handler handler = new LineHandler(out);
        handler.setFilter(new LibraryEvents(PeerLog.to("io.sluice.server.peers")));
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
