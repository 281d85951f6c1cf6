package io.sluice.server.http;

/** Wraps routes so that they need a right. */
public interface RouteGuard {
    /** A guard that wraps nothing. */
    RouteGuard NONE = new RouteGuard() {
        @Override
        public Route admin(Route route) {
            return route;
        }

        @Override
        public Route read(Route route) {
            return route;
        }
    };

    /** A route that needs the admin token, or a session of the dashboard. */
    Route admin(Route route);

    /** A route that changes nothing. The operator may open it for everybody; else it is as {@link #admin}. */
    Route read(Route route);
}
