package io.sluice.spring.webflux;

import io.sluice.TimeSource;
import io.sluice.http.QuotaExceeded;
import io.sluice.policy.PolicyDecision;
import io.sluice.spring.web.ExchangeView;
import io.sluice.spring.web.ReactiveDecision;
import io.sluice.spring.web.RequestAttributes;
import io.sluice.spring.web.RequestScope;
import io.sluice.spring.web.RequestScope.End;
import io.sluice.spring.web.RequestScope.Ending;
import io.sluice.spring.web.WebDecisions;
import io.sluice.spring.web.WebEntry;
import java.nio.charset.StandardCharsets;
import java.security.Principal;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.context.ApplicationContext;
import org.springframework.core.Ordered;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.http.HttpStatus;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.MediaType;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;
import reactor.core.publisher.Mono;

/**
 * Decides each request when its exchange is subscribed to, and not before. A denied request gets 429 and does not go further. An allowed request waits for its
 * delay, without a thread.
 */
final class RateLimitWebFilter implements WebFilter, Ordered {
    private final WebDecisions decisions;
    private final ExchangeRoutes routes;
    private final TimeSource time;
    private final int order;
    private final ApplicationContext application;

    RateLimitWebFilter(
            WebDecisions decisions, ExchangeRoutes routes, TimeSource time, int order, ApplicationContext application) {
        this.decisions = decisions;
        this.routes = routes;
        this.time = time;
        this.order = order;
        this.application = application;
    }

    @Override
    public int getOrder() {
        return order;
    }

    @Override
    public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
        if (isOfAnotherServer(exchange)) {
            return chain.filter(exchange);
        }
        boolean needsUser = decisions.needsPrincipal();
        boolean needsRoute = decisions.needs("route");
        if (!needsUser && !needsRoute) {
            return Mono.defer(() -> decide(exchange, chain, null, null));
        }
        Mono<Optional<Principal>> user = needsUser
                ? exchange.getPrincipal().map(Optional::of).defaultIfEmpty(Optional.empty())
                : Mono.just(Optional.empty());
        Mono<Optional<String>> route = needsRoute ? routes.of(exchange) : Mono.just(Optional.empty());
        return user.zipWith(route)
                .flatMap(found -> decide(
                        exchange,
                        chain,
                        found.getT1().orElse(null),
                        found.getT2().orElse(null)));
    }

    /** Whether the request came to the management port: the server there takes the filters of this application too. */
    private boolean isOfAnotherServer(ServerWebExchange exchange) {
        ApplicationContext context = exchange.getApplicationContext();
        return context != null && context.getParent() == application;
    }

    private Mono<Void> decide(
            ServerWebExchange exchange, WebFilterChain chain, @Nullable Principal user, @Nullable String route) {
        ExchangeView view = new ExchangeView(exchange, user, decisions.addresses(), route);
        RequestAttributes attributes = decisions.attributes(view);
        if (!decisions.decides(view)) {
            // A filter before this one may have decided the request.
            return exchange.getAttribute(RequestScope.ATTRIBUTE) == null
                    ? inScope(exchange, chain, RequestScope.undecided(attributes), () -> {})
                    : chain.filter(exchange);
        }
        return Mono.defer(() -> {
            WebEntry entry = decisions.enterAsync(attributes);
            return ReactiveDecision.of(exchange, entry::decision)
                    .flatMap(decision -> proceed(exchange, chain, attributes, decision, entry))
                    // Also if the request is cancelled between its decision and its scope.
                    .doFinally(signal -> entry.leave());
        });
    }

    private Mono<Void> proceed(
            ServerWebExchange exchange,
            WebFilterChain chain,
            RequestAttributes attributes,
            PolicyDecision decision,
            WebEntry entry) {
        ServerHttpResponse response = exchange.getResponse();
        decisions.response().setHeaders(decision, response.getHeaders()::set);
        if (!decision.allowed()) {
            return deny(response, decision);
        }
        RequestScope scope = entry.scope(attributes, decision);
        decisions.watch(scope);
        return inScope(exchange, chain, scope, () -> decisions.giveBack(attributes, decision));
    }

    private Mono<Void> inScope(
            ServerWebExchange exchange, WebFilterChain chain, RequestScope scope, Runnable giveBack) {
        exchange.getAttributes().put(RequestScope.ATTRIBUTE, scope);
        Mono<Void> rest = chain.filter(exchange).contextWrite(context -> context.put(RequestScope.class, scope));
        return ended(
                ReactiveDecision.afterDelay(time, scope.decision(), rest, giveBack), exchange.getResponse(), scope);
    }

    private static Mono<Void> ended(Mono<Void> rest, ServerHttpResponse response, RequestScope scope) {
        return rest.doOnSuccess(done -> scope.end(new End(Ending.COMPLETED, status(response), null)))
                .doOnError(failure -> scope.end(new End(Ending.of(failure), status(response), failure)))
                .doOnCancel(() -> scope.end(new End(Ending.CANCELLED, status(response), null)));
    }

    private static int status(ServerHttpResponse response) {
        HttpStatusCode status = response.getStatusCode();
        return status == null ? 0 : status.value();
    }

    private Mono<Void> deny(ServerHttpResponse response, PolicyDecision decision) {
        byte[] body = decisions.response().body(decision).getBytes(StandardCharsets.UTF_8);
        response.setStatusCode(HttpStatus.TOO_MANY_REQUESTS);
        response.getHeaders().setContentType(MediaType.parseMediaType(QuotaExceeded.CONTENT_TYPE));
        response.getHeaders().setContentLength(body.length);
        DataBuffer buffer = response.bufferFactory().wrap(body);
        return response.writeWith(Mono.just(buffer));
    }
}
