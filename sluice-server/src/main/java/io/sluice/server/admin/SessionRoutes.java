package io.sluice.server.admin;

import io.sluice.server.DashboardAccess;
import io.sluice.server.http.Problems;
import io.sluice.server.http.RequestBodies;
import io.sluice.server.http.Routes;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.json.JsonObject;
import org.jspecify.annotations.Nullable;

/** {@code /v1/session}: signs in to the dashboard and out of it, and says what a visitor may do. */
public final class SessionRoutes {
    private static final String CLOSED = "This server has no admin token, so nobody can sign in. Start it with"
            + " --admin-token-file FILE, or with the variable SLUICE_ADMIN_TOKEN.";

    private final AdminToken token;
    private final @Nullable Sessions sessions;
    private final boolean everybodyReads;
    private final AuditLog audit;

    /**
     * Creates the routes.
     *
     * @param sessions null if the server has no admin token
     * @param caller says from where a request came, for the audit log
     */
    public SessionRoutes(
            AdminToken token, @Nullable Sessions sessions, DashboardAccess dashboard, CallerAddress caller) {
        this.token = token;
        this.sessions = sessions;
        this.everybodyReads = dashboard == DashboardAccess.READ_ONLY;
        this.audit = new AuditLog(caller);
    }

    public void addTo(Routes routes) {
        routes.data(HttpMethod.GET, "/v1/session", this::get)
                .data(HttpMethod.POST, "/v1/session", this::signIn)
                .data(HttpMethod.DELETE, "/v1/session", this::signOut);
    }

    private void get(HttpServerRequest request) {
        answer(request, sessions == null ? null : sessions.find(request));
    }

    private void signIn(HttpServerRequest request) {
        Sessions open = sessions;
        if (open == null) {
            Problems.answer(request, 403, CLOSED);
        } else if (isProven(request)) {
            RequestBodies.read(request, body -> {
                try {
                    String given = JsonFields.of(body, "token").text("token");
                    token.authenticate(request, given.trim(), "the text that --admin-token-file holds", () -> {
                        audit.done(request, "sign in");
                        answer(request, open.start(request));
                    });
                } catch (IllegalArgumentException e) {
                    // The text of the exception may have a part of the token.
                    Problems.answer(request, 400, "not a sign-in (expected: {\"token\":\"...\"})");
                }
            });
        }
    }

    private void signOut(HttpServerRequest request) {
        if (isProven(request)) {
            if (sessions != null) {
                sessions.end(request);
            }
            answer(request, null);
        }
    }

    private static boolean isProven(HttpServerRequest request) {
        boolean proven = SameOrigin.isProven(request);
        if (!proven) {
            Problems.answer(request, 403, SameOrigin.EXPECTED);
        }
        return proven;
    }

    private void answer(HttpServerRequest request, Sessions.@Nullable Session session) {
        boolean signedIn = session != null;
        AdminJson.answer(
                request,
                new JsonObject()
                        .put("signed_in", signedIn)
                        .put("may_read", signedIn || everybodyReads)
                        .put("may_write", signedIn)
                        .put("sign_in", sessions == null ? "closed" : "token")
                        .put("help", sessions == null ? CLOSED : null)
                        .put(
                                "expires",
                                session == null ? null : session.expires().toString()));
    }
}
