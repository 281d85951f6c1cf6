package io.sluice.server.http;

import io.vertx.core.Handler;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Who answers what: by the path, which is taken literally, and the method. Filled before the first request. */
public final class Routes implements Handler<HttpServerRequest> {
    private static final CharSequence ALLOW = HttpHeaders.createOptimized("allow");

    private final Map<String, Map<HttpMethod, Route>> byPath = new HashMap<>();
    private final Map<String, Route> anyMethod = new HashMap<>();
    private final UnaryOperator<Route> guard;
    private final List<String> adminOnly = new ArrayList<>();

    /**
     * Begins with none.
     *
     * @param guard makes a route one that only who has the admin token reaches
     */
    public Routes(UnaryOperator<Route> guard) {
        this.guard = guard;
    }

    /** Open to everybody. What answers GET answers HEAD as well. */
    public Routes open(HttpMethod method, String path, Route route) {
        byPath.computeIfAbsent(path, unused -> new HashMap<>()).put(method, route);
        return this;
    }

    /** Open to everybody, whatever the method. */
    public Routes open(String path, Route route) {
        anyMethod.put(path, route);
        return this;
    }

    /** Only for who has the admin token. */
    public Routes admin(HttpMethod method, String path, Route route) {
        adminOnly.add(method + " " + path);
        return open(method, path, guard.apply(route));
    }

    /** What only who has the admin token reaches, as in {@code PUT /v1/policies}. */
    public List<String> adminOnly() {
        return List.copyOf(adminOnly);
    }

    /** The methods of each path; none for a path that takes any. */
    public SortedMap<String, Set<String>> listing() {
        SortedMap<String, Set<String>> listing = new TreeMap<>();
        anyMethod.keySet().forEach(path -> listing.put(path, Set.of()));
        byPath.forEach((path, methods) -> listing.put(
                path, methods.keySet().stream().map(HttpMethod::name).collect(Collectors.toCollection(TreeSet::new))));
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
            notThisMethod(request, methods.keySet());
        }
    }

    private static void notThisMethod(HttpServerRequest request, Set<HttpMethod> methods) {
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
