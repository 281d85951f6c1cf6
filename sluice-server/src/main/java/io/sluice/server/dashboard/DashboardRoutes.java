package io.sluice.server.dashboard;

import io.sluice.server.http.Routes;
import io.vertx.core.Vertx;
import java.util.List;

/** The routes of the web page: {@code /} and the files that it loads. */
public final class DashboardRoutes {
    /** The files of the page. Those in {@code lib} are copied from webjars by the build. */
    static final List<String> FILES = List.of(
            "app.css",
            "icon.svg",
            "js/api.js",
            "js/axis.js",
            "js/charts.js",
            "js/diff.js",
            "js/dom.js",
            "js/editor.js",
            "js/explain.js",
            "js/feed.js",
            "js/format.js",
            "js/keys.js",
            "js/live.js",
            "js/main.js",
            "js/playground.js",
            "js/policies.js",
            "js/session.js",
            "js/theme.js",
            "lib/chart/chart.umd.min.js",
            "lib/ace/ace.js",
            "lib/ace/mode-yaml.js",
            "lib/ace/ace.css");

    private final Vertx vertx;

    /** @param vertx has the worker threads that read files */
    public DashboardRoutes(Vertx vertx) {
        this.vertx = vertx;
    }

    public void addTo(Routes routes) {
        routes.page("/", new FileRoute(vertx, "index.html"));
        FILES.forEach(file -> routes.page("/dashboard/" + file, new FileRoute(vertx, file)));
    }
}
