package io.sluice.server.admin;

import io.sluice.Limit;
import io.sluice.RateLimiter;
import io.vertx.core.http.HttpServerRequest;
import java.lang.System.Logger.Level;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Logs who changed what: one line for each change, to the logger {@code io.sluice.audit}. A line never has the token. Text from
 * a client is quoted and escaped, so that it cannot look like another line.
 */
final class AuditLog {
    private static final System.Logger LOG = System.getLogger("io.sluice.audit");

    /** Bounds the lines that clients without the token can cause. */
    private final RateLimiter refusals = RateLimiter.of(Limit.parse("10/s burst 100"));

    private final AtomicLong suppressed = new AtomicLong();
    private final CallerAddress caller;

    AuditLog(CallerAddress caller) {
        this.caller = caller;
    }

    /** @param action such as {@code rollback to 3} */
    void changed(HttpServerRequest request, String action, long before, long after) {
        log(Level.INFO, request, quoted(action) + " edition=" + before + "->" + after + " result=ok");
    }

    /** Logs an action that is not a change of policies. */
    void done(HttpServerRequest request, String action) {
        log(Level.INFO, request, quoted(action) + " result=ok");
    }

    void failed(HttpServerRequest request, String action, int status, String reason) {
        log(Level.WARNING, request, quoted(action) + " result=" + status + " why=" + quoted(reason));
    }

    /** Logs a request without the right token. */
    void refused(HttpServerRequest request, int status) {
        if (refusals.tryAcquire("")) {
            long more = suppressed.getAndSet(0);
            String what = quoted(request.method() + " " + request.path()) + " result=" + status;
            log(Level.WARNING, request, what + (more == 0 ? "" : " untold_before=" + more));
        } else {
            suppressed.incrementAndGet();
        }
    }

    private void log(Level level, HttpServerRequest request, String rest) {
        String who = who(request);
        String peer = escaped(CallerAddress.peer(request));
        LOG.log(level, "who=" + who + (peer.equals(who) ? "" : " via=" + peer) + " what=" + rest);
    }

    /** The address from which a request came; behind a trusted proxy, that of its client. */
    String who(HttpServerRequest request) {
        return escaped(caller.of(request));
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
