package io.sluice.spring.web;

import io.sluice.spring.HttpRequestView;
import io.sluice.spring.RequestAttribute;
import java.security.Principal;
import java.util.AbstractMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/*
 * The engine looks up the attributes that its policies name, and no others. So a request pays only for those: a session is not
 * created for the user, a body is not parsed for a parameter, and no handler is searched for the route.
 */
/** The attributes of a request, read when they are looked up. */
public final class RequestAttributes extends AbstractMap<String, String> {
    private static final String HEADER = "header.";
    private static final String QUERY = "query.";

    private final Map<String, RequestAttribute> added;
    private final HttpRequestView request;

    RequestAttributes(Map<String, RequestAttribute> added, HttpRequestView request) {
        this.added = added;
        this.request = request;
    }

    @Override
    public @Nullable String get(@Nullable Object name) {
        return name instanceof String text ? value(text) : null;
    }

    private @Nullable String value(String name) {
        RequestAttribute own = added.get(name);
        if (own != null) {
            return own.value(request);
        }
        return switch (name) {
            case "path" -> request.path();
            case "route" -> request.route();
            case "method" -> request.method();
            case "ip" -> request.ip();
            case "user" -> {
                Principal principal = request.principal();
                yield principal == null ? null : principal.getName();
            }
            default -> headerOrQuery(name);
        };
    }

    private @Nullable String headerOrQuery(String name) {
        if (name.startsWith(HEADER)) {
            return request.header(name.substring(HEADER.length()));
        }
        return name.startsWith(QUERY) ? request.query(name.substring(QUERY.length())) : null;
    }

    /** Not supported: nobody knows all attributes of a request. */
    @Override
    public Set<Entry<String, String>> entrySet() {
        throw new UnsupportedOperationException("attributes of a request can only be looked up by name");
    }

    @Override
    public String toString() {
        return request.method() + " " + request.path();
    }
}
