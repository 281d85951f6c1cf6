package io.sluice.server.http;

import io.sluice.TimeSource;
import io.vertx.core.http.HttpServerRequest;
import java.lang.System.Logger.Level;

/*
 * Mostly it is a client that makes up headers. But it may be two gateways in a row that write different ones, and then every
 * request is denied, and the client is told of a limit.
 */
/** Warns of requests that are denied because their headers contradict each other; once a minute at most. */
final class DoubtfulHeaders {
    private static final System.Logger LOG = System.getLogger("io.sluice.server");

    private final OnceAMinute due;

    DoubtfulHeaders(TimeSource time) {
        due = new OnceAMinute(time);
    }

    void of(HttpServerRequest request, String why) {
        if (due.now()) {
            LOG.log(
                    Level.WARNING,
                    "denied on /v1/auth, asked by {0}: {1}; the gateway should not hand on what its clients sent (this is"
                            + " told once a minute at most)",
                    request.remoteAddress().hostAddress(),
                    why);
        }
    }
}
