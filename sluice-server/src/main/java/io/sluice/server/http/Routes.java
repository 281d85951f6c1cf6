package io.sluice.server.http;

import io.vertx.core.Handler;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Who answers what: by the path, which is taken literally, and the method. Filled before the first request. */
public final class Routes implements Handler<HttpServerRequest> {
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

    /** Open to everybody. */
    public Routes open(HttpMethod method, String path, Route route) {
        byPath.computeIfAbsent(path, unused -> new TreeMap<>((a, b) -> a.name().compareTo(b.name())))
                .put(method, route);
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

    @Override
    public void handle(HttpServerRequest request) {
        String path = request.path();
        Route any = anyMethod.get(path);
        if (any != null) {
            any.handle(request);
            return;
        }
        Map<HttpMethod, Route> methods = byPath.get(path);
        if (methods == null) {
            Problems.answer(request, 404, "no such resource: " + path);
            return;
        }
        @Nullable Route route = methods.get(request.method());
        if (route != null) {
            route.handle(request);
            return;
        }
        String allowed = String.join(
                ", ", methods.keySet().stream().map(HttpMethod::name).toList());
        request.response().putHeader("Allow", allowed);
        Problems.answer(request, 405, request.method() + " " + path + " (expected: " + allowed + ")");
    }
}
