package io.sluice.spring.servlet;

import io.sluice.http.ClientAddress;
import io.sluice.spring.HttpRequestView;
import io.sluice.spring.web.QueryText;
import jakarta.servlet.http.HttpServletRequest;
import java.security.Principal;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A servlet request. */
final class ServletRequestView implements HttpRequestView {
    private final HttpServletRequest request;
    private final ClientAddress addresses;
    private final Routes routes;

    ServletRequestView(HttpServletRequest request, ClientAddress addresses, Routes routes) {
        this.request = request;
        this.addresses = addresses;
        this.routes = routes;
    }

    @Override
    public String method() {
        return request.getMethod();
    }

    @Override
    public String path() {
        String context = request.getContextPath();
        return ContextPath.remove(request.getRequestURI(), context == null ? "" : context);
    }

    @Override
    public @Nullable String route() {
        return routes.of(request);
    }

    @Override
    public String ip() {
        String peer = request.getRemoteAddr();
        return peer == null ? "" : addresses.of(peer, headers("X-Forwarded-For"), headers("Forwarded"));
    }

    @Override
    public @Nullable Principal principal() {
        return request.getUserPrincipal();
    }

    @Override
    public @Nullable String header(String name) {
        return request.getHeader(name);
    }

    @Override
    public List<String> headers(String name) {
        Enumeration<String> values = request.getHeaders(name);
        return values == null || !values.hasMoreElements() ? List.of() : Collections.list(values);
    }

    /** Reads the query only: the parameters of a servlet request include those of a form, and would read the body. */
    @Override
    public @Nullable String query(String name) {
        return QueryText.first(request.getQueryString(), name);
    }

    @Override
    public <T> T unwrap(Class<T> type) {
        if (!type.isInstance(request)) {
            throw new IllegalStateException(
                    "request: " + request.getClass().getName() + " (expected: " + type.getName() + ")");
        }
        return type.cast(request);
    }
}
