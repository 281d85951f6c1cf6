package io.sluice.server.dashboard;

import io.sluice.server.http.Routes;

/** The routes of the web page. */
public final class DashboardRoutes {
    public void addTo(Routes routes) {
        routes.page(
                "/",
                request -> request.response()
                        .putHeader("Content-Type", "text/html; charset=utf-8")
                        .end("<!doctype html><title>Sluice</title>"));
    }
}
