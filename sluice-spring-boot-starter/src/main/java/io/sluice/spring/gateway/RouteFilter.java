package io.sluice.spring.gateway;

import io.sluice.TimeSource;
import io.sluice.http.QuotaExceeded;
import io.sluice.policy.PolicyDecision;
import io.sluice.policy.PolicyResult;
import io.sluice.policy.PolicySelection;
import io.sluice.spring.web.ExchangeView;
import io.sluice.spring.web.ReactiveDecision;
import io.sluice.spring.web.RequestAttributes;
import io.sluice.spring.web.RequestScope;
import io.sluice.spring.web.WebDecisions;
import io.sluice.spring.web.WebEntry;
import java.nio.charset.StandardCharsets;
import java.security.Principal;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.cloud.gateway.filter.GatewayFilter;
import org.springframework.cloud.gateway.filter.GatewayFilterChain;
import org.springframework.cloud.gateway.route.Route;
import org.springframework.cloud.gateway.support.ServerWebExchangeUtils;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.observability.DefaultSignalListener;
import reactor.core.publisher.Mono;

/** Decides the requests of a route. */
final class RouteFilter implements GatewayFilter {
    /** Marks an exchange that only filters with names of policies have decided. */
    private static final String ONLY_NAMED = "io.sluice.spring.gateway.onlyNamed";

    private final WebDecisions decisions;
    private final Supplier<PolicySelection> selection;
    private final boolean hasNames;
    private final TimeSource time;

    /**
     * Creates a filter.
     *
     * @param hasNames whether the selection is by names; else it is of all policies that nobody names
     */
    RouteFilter(WebDecisions decisions, Supplier<PolicySelection> selection, boolean hasNames, TimeSource time) {
        this.decisions = decisions;
        this.selection = selection;
        this.hasNames = hasNames;
        this.time = time;
    }

    @Override
    public Mono<Void> filter(ServerWebExchange exchange, GatewayFilterChain chain) {
        if (!hasNames && isDecided(exchange)) {
            return chain.filter(exchange);
        }
        if (!decisions.needsPrincipal()) {
            return decide(exchange, chain, null);
        }
        return exchange.getPrincipal()
                .map(Optional::of)
                .defaultIfEmpty(Optional.empty())
                .flatMap(user -> decide(exchange, chain, user.orElse(null)));
    }

    /** Whether the WebFlux filter, or a filter before this one, has charged the policies that nobody names. */
    private static boolean isDecided(ServerWebExchange exchange) {
        return earlier(exchange) != null && exchange.getAttributes().remove(ONLY_NAMED) == null;
    }

    /** The scope of the first filter that has decided the request; null if this one is the first. */
    private static @Nullable RequestScope earlier(ServerWebExchange exchange) {
        RequestScope scope = exchange.getAttribute(RequestScope.ATTRIBUTE);
        return scope != null && scope.isDecided() ? scope : null;
    }

    private Mono<Void> decide(ServerWebExchange exchange, GatewayFilterChain chain, @Nullable Principal user) {
        Route route = exchange.getAttribute(ServerWebExchangeUtils.GATEWAY_ROUTE_ATTR);
        RequestAttributes attributes = decisions.attributes(
                new ExchangeView(exchange, user, decisions.addresses(), route == null ? null : route.getId()));
        PolicySelection selected = selection.get();
        return Mono.defer(() -> {
            WebEntry entry = decisions.enterAsync("gateway", selected, attributes);
            return ReactiveDecision.begun(exchange, entry.decision())
                    .flatMap(decision -> proceed(exchange, chain, selected, attributes, decision, entry))
                    .tap(() -> new LeaveUnlessDone(entry));
        });
    }

    /** The response is written later. But after a failure, another attempt enters by itself. */
    private static final class LeaveUnlessDone extends DefaultSignalListener<Void> {
        private final WebEntry entry;

        LeaveUnlessDone(WebEntry entry) {
            this.entry = entry;
        }

        @Override
        public void doOnError(Throwable failure) {
            entry.leave();
        }

        @Override
        public void doOnCancel() {
            entry.leave();
        }
    }

    private Mono<Void> proceed(
            ServerWebExchange exchange,
            GatewayFilterChain chain,
            PolicySelection selected,
            RequestAttributes attributes,
            PolicyDecision decision,
            WebEntry entry) {
        RequestScope earlier = earlier(exchange);
        PolicyDecision told = earlier == null ? decision : both(earlier.decision(), decision);
        ServerHttpResponse response = exchange.getResponse();
        decisions.response().setHeaders(told, response.getHeaders()::set);
        if (!decision.allowed()) {
            return deny(response, decision);
        }
        RequestScope scope = entry.scope(attributes, decision);
        ExchangeScopes scopes = exchange.getAttribute(ExchangeScopes.ATTRIBUTE);
        if (scopes != null) {
            scopes.add(scope);
        }
        if (earlier == null) {
            decisions.watch(scope);
            exchange.getAttributes().put(RequestScope.ATTRIBUTE, scope);
            if (hasNames) {
                exchange.getAttributes().put(ONLY_NAMED, true);
            }
        }
        Mono<Void> rest = decision.delayMicros() == 0
                ? chain.filter(exchange)
                : ReactiveDecision.afterDelay(
                        time,
                        decision,
                        Mono.defer(() -> chain.filter(exchange)),
                        () -> decisions.giveBack(selected, attributes, decision));
        return scopes == null ? rest.doFinally(signal -> entry.leave()) : rest;
    }

    /** The results of both, so that the headers have all policies. If a request is tried again, the last result of a policy counts. */
    private static PolicyDecision both(PolicyDecision earlier, PolicyDecision decision) {
        Set<String> now = decision.results().stream().map(PolicyResult::policy).collect(Collectors.toSet());
        return PolicyDecision.of(Stream.concat(
                        earlier.results().stream().filter(result -> !now.contains(result.policy())),
                        decision.results().stream())
                .toArray(PolicyResult[]::new));
    }

    private Mono<Void> deny(ServerHttpResponse response, PolicyDecision denied) {
        byte[] body = decisions.response().body(denied).getBytes(StandardCharsets.UTF_8);
        response.setStatusCode(HttpStatus.TOO_MANY_REQUESTS);
        response.getHeaders().setContentType(MediaType.parseMediaType(QuotaExceeded.CONTENT_TYPE));
        response.getHeaders().setContentLength(body.length);
        return response.writeWith(
                Mono.fromSupplier(() -> response.bufferFactory().wrap(body)));
    }
}
