package io.sluice.server.admin;

import io.sluice.Limit;
import io.sluice.RateLimiter;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.SocketAddress;
import java.lang.System.Logger.Level;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Who changed what: one line each, to the logger {@code io.sluice.audit}. Never the token; whatever a client chose is in
 * quotes, with nothing in it that could pass for another line.
 */
final class Audit {
    private static final System.Logger LOG = System.getLogger("io.sluice.audit");

    /** Who has no token must not be able to fill the log. */
    private final RateLimiter refusals = RateLimiter.of(Limit.parse("10/s burst 100"));

    private final AtomicLong untold = new AtomicLong();

    /** @param what such as {@code rollback to 3} */
    void changed(HttpServerRequest request, String what, long before, long after) {
        log(Level.INFO, request, quoted(what) + " edition=" + before + "->" + after + " result=ok");
    }

    /** Something was done that is no change of policies. */
    void done(HttpServerRequest request, String what) {
        log(Level.INFO, request, quoted(what) + " result=ok");
    }

    void failed(HttpServerRequest request, String what, int status, String why) {
        log(Level.WARNING, request, quoted(what) + " result=" + status + " why=" + quoted(why));
    }

    /** Without the token. */
    void refused(HttpServerRequest request, int status) {
        if (refusals.tryAcquire("")) {
            long more = untold.getAndSet(0);
            String what = quoted(request.method() + " " + request.path()) + " result=" + status;
            log(Level.WARNING, request, what + (more == 0 ? "" : " untold_before=" + more));
        } else {
            untold.incrementAndGet();
        }
    }

    private static void log(Level level, HttpServerRequest request, String rest) {
        SocketAddress peer = request.remoteAddress();
        String who = peer == null ? "unknown" : peer.hostAddress() == null ? peer.toString() : peer.hostAddress();
        LOG.log(level, "who=" + escaped(who) + " what=" + rest);
    }

    static String quoted(String text) {
        return '"' + escaped(text) + '"';
    }

    private static String escaped(String text) {
        StringBuilder out = new StringBuilder(text.length());
        text.codePoints().forEach(c -> {
            if (c == '"' || c == '\\') {
                out.append('\\').append((char) c);
            } else if (isPlain(c)) {
                out.appendCodePoint(c);
            } else {
                out.append(String.format(c < 0x10000 ? "\\u%04x" : "\\U%08x", c));
            }
        });
        return out.toString();
    }

    private static boolean isPlain(int c) {
        return switch (Character.getType(c)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.SURROGATE,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR,
                    Character.UNASSIGNED -> false;
            default -> true;
        };
    }
}
