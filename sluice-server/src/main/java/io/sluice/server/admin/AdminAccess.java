package io.sluice.server.admin;

import io.sluice.server.DashboardAccess;
import io.sluice.server.http.Problems;
import io.sluice.server.http.Route;
import io.sluice.server.http.RouteGuard;
import io.vertx.core.http.HttpServerRequest;
import org.jspecify.annotations.Nullable;

/*
 * A browser sends the cookie by itself, whoever made it send the request. So a change by cookie also needs the proof that a page
 * of this server made the request. A program sends the token on purpose, so it needs no such proof.
 */
/** Guards routes: they need the admin token, or a session of the dashboard. */
public final class AdminAccess implements RouteGuard {
    private static final String SCHEME = "Bearer ";
    private static final String HOW = "Authorization: Bearer TOKEN";

    private final AdminToken token;
    private final @Nullable Sessions sessions;
    private final boolean everybodyReads;

    /** @param sessions null if there is no dashboard */
    public AdminAccess(AdminToken token, @Nullable Sessions sessions, DashboardAccess dashboard) {
        this.token = token;
        this.sessions = sessions;
        this.everybodyReads = dashboard == DashboardAccess.READ_ONLY;
    }

    @Override
    public Route admin(Route route) {
        return request -> guard(request, route, false);
    }

    @Override
    public Route read(Route route) {
        return request -> guard(request, route, everybodyReads);
    }

    private void guard(HttpServerRequest request, Route route, boolean isOpen) {
        @Nullable String given = request.getHeader("Authorization");
        if (given != null && token.exists()) {
            token.authenticate(request, bearer(given), HOW, () -> route.handle(request));
        } else if (given == null && sessions != null && sessions.find(request) != null) {
            if (SameOrigin.isProven(request)) {
                route.handle(request);
            } else {
                token.audit(request, 403);
                Problems.answer(request, 403, SameOrigin.EXPECTED);
            }
        } else if (isOpen) {
            route.handle(request);
        } else if (!token.exists()) {
            token.refuse(request, "this server has no admin token, so the admin API is closed");
        } else {
            // Not an attempt to guess the token.
            token.refuse(request, "no token (expected: " + HOW + ", or a session of the dashboard)");
        }
    }

    /** The token; null if the header has another scheme. */
    private static @Nullable String bearer(String header) {
        return header.regionMatches(true, 0, SCHEME, 0, SCHEME.length())
                ? header.substring(SCHEME.length()).trim()
                : null;
    }
}
