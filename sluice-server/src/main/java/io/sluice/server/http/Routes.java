package io.sluice.server.http;

import io.vertx.core.Handler;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The table of routes by path and method. Paths are literal. All routes are added before the first request. */
public final class Routes implements Handler<HttpServerRequest> {
    private static final CharSequence ALLOW = HttpHeaders.createOptimized("allow");

    private final Map<String, Map<HttpMethod, Route>> byPath = new HashMap<>();
    private final Map<String, Route> anyMethod = new HashMap<>();
    private final RouteGuard guard;
    private final List<String> adminOnly = new ArrayList<>();
    private final Set<String> pages = new HashSet<>();

    /**
     * Creates an empty table.
     *
     * @param guard wraps the routes that need a right
     */
    public Routes(RouteGuard guard) {
        this.guard = guard;
    }

    /** Adds a route without authentication. A GET route also answers HEAD. */
    public Routes open(HttpMethod method, String path, Route route) {
        byPath.computeIfAbsent(path, unused -> new HashMap<>()).put(method, route);
        return this;
    }

    /** Adds a route without authentication for all methods. */
    public Routes open(String path, Route route) {
        anyMethod.put(path, route);
        return this;
    }

    /** Adds a route that needs the admin token, or a session of the dashboard. */
    public Routes admin(HttpMethod method, String path, Route route) {
        adminOnly.add(method + " " + path);
        return open(method, path, SecurityHeaders.data(guard.admin(route)));
    }

    /** Adds a route that changes nothing. It is an {@link #admin} route, unless the operator lets everybody look. */
    public Routes read(HttpMethod method, String path, Route route) {
        adminOnly.add(method + " " + path);
        return open(method, path, SecurityHeaders.data(guard.read(route)));
    }

    /** Adds a route without authentication that the dashboard calls, with the headers that protect a browser. */
    public Routes data(HttpMethod method, String path, Route route) {
        return open(method, path, SecurityHeaders.data(route));
    }

    /** Adds a {@code GET} route of the web page, without authentication, with the headers that protect a browser. */
    public Routes page(String path, Route route) {
        pages.add(path);
        return open(HttpMethod.GET, path, SecurityHeaders.page(route));
    }

    /** The routes that need the admin token, such as {@code PUT /v1/policies}. */
    public List<String> adminOnly() {
        return List.copyOf(adminOnly);
    }

    /** The methods of each path of the API; empty for a path that accepts all methods. The web page is not part of it. */
    public SortedMap<String, Set<String>> listing() {
        SortedMap<String, Set<String>> listing = new TreeMap<>();
        anyMethod.keySet().forEach(path -> listing.put(path, Set.of()));
        byPath.forEach((path, methods) -> listing.put(
                path, methods.keySet().stream().map(HttpMethod::name).collect(Collectors.toCollection(TreeSet::new))));
        listing.keySet().removeAll(pages);
        return listing;
    }

    @Override
    public void handle(HttpServerRequest request) {
        try {
            route(request);
        } catch (RuntimeException e) {
            Problems.failed(request, e);
        }
    }

    private void route(HttpServerRequest request) {
        @Nullable String path = request.path();
        Map<HttpMethod, Route> methods = byPath.get(path);
        if (methods == null) {
            Route any = anyMethod.get(path);
            if (any == null) {
                SecurityHeaders.data(request);
                Problems.answer(request, 404, "no such resource: " + path);
            } else {
                any.handle(request);
            }
            return;
        }
        HttpMethod method = request.method();
        Route route = methods.get(method.equals(HttpMethod.HEAD) ? HttpMethod.GET : method);
        if (route != null) {
            route.handle(request);
        } else {
            methodNotAllowed(request, methods.keySet());
        }
    }

    private static void methodNotAllowed(HttpServerRequest request, Set<HttpMethod> methods) {
        Set<String> names = methods.stream().map(HttpMethod::name).collect(Collectors.toCollection(TreeSet::new));
        names.add("OPTIONS");
        if (names.contains("GET")) {
            names.add("HEAD");
        }
        String allowed = String.join(", ", names);
        request.response().putHeader(ALLOW, allowed);
        if (request.method().equals(HttpMethod.OPTIONS)) {
            request.response().setStatusCode(204).end();
        } else {
            Problems.answer(request, 405, request.method() + " " + request.path() + " (expected: " + allowed + ")");
        }
    }
}
