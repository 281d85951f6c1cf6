package io.sluice.spring;

import java.security.Principal;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The request that is decided, the same on the servlet stack and on WebFlux. Valid only while the request is decided. */
public interface HttpRequestView {
    /** The HTTP method. */
    String method();

    /** The path within the application, as the client has encoded it, without path parameters and query. */
    String path();

    /** The pattern of the handler, such as {@code /orders/{id}}; null if no handler matches. */
    @Nullable
    String route();

    /** The address of the client, behind the trusted proxies. */
    String ip();

    /** The user that is signed in; null if nobody is. */
    @Nullable
    Principal principal();

    /** The first value of a header; null if the request does not have it. */
    @Nullable
    String header(String name);

    /** All values of a header; empty if the request does not have it. */
    List<String> headers(String name);

    /** The first value of a query parameter; null if the request does not have it. */
    @Nullable
    String query(String name);

    /**
     * The request of the web framework: an {@code HttpServletRequest} or a {@code ServerWebExchange}.
     *
     * @throws IllegalStateException if it is of another type
     */
    <T> T unwrap(Class<T> type);
}
