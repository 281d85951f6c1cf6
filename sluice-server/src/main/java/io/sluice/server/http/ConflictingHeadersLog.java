package io.sluice.server.http;

import io.sluice.TimeSource;
import io.vertx.core.http.HttpServerRequest;
import java.lang.System.Logger.Level;

/*
 * Usually a client invents headers. But two gateways in a row may write different headers. Then every request is denied, and the
 * client sees a rate limit.
 */
/** Warns about requests that are denied because their headers contradict each other; at most once a minute. */
final class ConflictingHeadersLog {
    private static final System.Logger LOG = System.getLogger("io.sluice.server");

    private final OncePerMinute oncePerMinute;

    ConflictingHeadersLog(TimeSource time) {
        oncePerMinute = new OncePerMinute(time);
    }

    void log(HttpServerRequest request, String reason) {
        if (oncePerMinute.tryAcquire()) {
            LOG.log(
                    Level.WARNING,
                    "denied on /v1/auth, asked by {0}: {1}; the gateway must not pass on such headers of its clients (logged"
                            + " once a minute at most)",
                    request.remoteAddress().hostAddress(),
                    reason);
        }
    }
}
