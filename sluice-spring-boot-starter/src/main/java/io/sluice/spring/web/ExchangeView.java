package io.sluice.spring.web;

import io.sluice.http.ClientAddress;
import io.sluice.spring.HttpRequestView;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.security.Principal;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.web.reactive.HandlerMapping;
import org.springframework.web.server.ServerWebExchange;

/** The request of a server exchange. The WebFlux filter and the gateway use it. */
public final class ExchangeView implements HttpRequestView {
    private static final String ANONYMOUS = "org.springframework.security.authentication.AnonymousAuthenticationToken";

    private final ServerWebExchange exchange;
    private final ClientAddress addresses;
    private final @Nullable Principal principal;
    private final @Nullable String route;

    /**
     * The request of an exchange. Its route is the pattern of the handler, if a handler mapping has found one already.
     *
     * @param principal the user, resolved before, because an exchange has it only as a {@code Mono}; null if nobody is signed in
     *     or no policy needs it
     */
    public ExchangeView(ServerWebExchange exchange, @Nullable Principal principal, ClientAddress addresses) {
        this(exchange, principal, addresses, null);
    }

    /**
     * The request of an exchange, whose route is known.
     *
     * @param route the route; null for the pattern of the handler, if a handler mapping has found one already
     */
    public ExchangeView(
            ServerWebExchange exchange,
            @Nullable Principal principal,
            ClientAddress addresses,
            @Nullable String route) {
        this.exchange = exchange;
        this.principal = isAnonymous(principal) ? null : principal;
        this.addresses = addresses;
        this.route = route;
    }

    /*
     * With anonymous() of Spring Security, an exchange has a principal for nobody. A servlet request then has none. By its name, because
     * an application need not have the class.
     */
    private static boolean isAnonymous(@Nullable Principal principal) {
        return principal != null && principal.getClass().getName().equals(ANONYMOUS);
    }

    @Override
    public String method() {
        return exchange.getRequest().getMethod().name();
    }

    @Override
    public String path() {
        return PathParameters.remove(
                exchange.getRequest().getPath().pathWithinApplication().value());
    }

    @Override
    public @Nullable String route() {
        if (route != null) {
            return route;
        }
        Object pattern = exchange.getAttribute(HandlerMapping.BEST_MATCHING_PATTERN_ATTRIBUTE);
        return pattern == null ? null : pattern.toString();
    }

    @Override
    public String ip() {
        return addresses.of(peer(), headers("X-Forwarded-For"), headers("Forwarded"));
    }

    private String peer() {
        InetSocketAddress remote = exchange.getRequest().getRemoteAddress();
        if (remote == null) {
            return "unknown";
        }
        InetAddress address = remote.getAddress();
        return address == null ? remote.getHostString() : address.getHostAddress();
    }

    @Override
    public @Nullable Principal principal() {
        return principal;
    }

    @Override
    public @Nullable String header(String name) {
        return exchange.getRequest().getHeaders().getFirst(name);
    }

    /*
     * HttpHeaders.get has another signature in Spring 7, so code that is compiled for Spring 6 cannot call it there.
     */
    @Override
    public List<String> headers(String name) {
        HttpHeaders headers = exchange.getRequest().getHeaders();
        if (headers.getFirst(name) == null) {
            return List.of();
        }
        for (Map.Entry<String, List<String>> header : headers.headerSet()) {
            if (header.getKey().equalsIgnoreCase(name)) {
                return header.getValue();
            }
        }
        return List.of();
    }

    /** As on the servlet stack: a parameter without a value is empty, and not absent. */
    @Override
    public @Nullable String query(String name) {
        return QueryText.first(exchange.getRequest().getURI().getRawQuery(), name);
    }

    @Override
    public <T> T unwrap(Class<T> type) {
        if (!type.isInstance(exchange)) {
            throw new IllegalStateException(
                    "request: " + exchange.getClass().getName() + " (expected: " + type.getName() + ")");
        }
        return type.cast(exchange);
    }
}
