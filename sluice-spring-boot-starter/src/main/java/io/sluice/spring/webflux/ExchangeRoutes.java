package io.sluice.spring.webflux;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.springframework.web.reactive.HandlerMapping;
import org.springframework.web.reactive.resource.ResourceWebHandler;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.ServerWebExchangeDecorator;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/*
 * A filter runs before WebFlux searches the handler. So the search is made here too, and only if a policy names "route". The
 * mappings write what they find into attributes of the exchange; those of this search are thrown away.
 */
/** Finds the pattern of the handler for a request, such as {@code /orders/{id}}. */
final class ExchangeRoutes {
    private final Supplier<List<HandlerMapping>> mappings;

    /** @param mappings the mappings in the order of the dispatcher */
    ExchangeRoutes(Supplier<List<HandlerMapping>> mappings) {
        this.mappings = mappings;
    }

    /** The pattern; empty if no handler matches. */
    Mono<Optional<String>> of(ServerWebExchange exchange) {
        Copy copy = new Copy(exchange);
        return Flux.fromIterable(mappings.get())
                .concatMap(mapping -> mapping.getHandler(copy))
                .next()
                .map(handler -> pattern(handler, copy))
                // There is a handler for the path, but not for this method or these headers: WebFlux will refuse the
                // request.
                .onErrorReturn(Optional.empty())
                .defaultIfEmpty(Optional.empty());
    }

    /** As on the servlet stack, files have no route: their pattern matches every path that nothing else matches. */
    private static Optional<String> pattern(Object handler, ServerWebExchange exchange) {
        return handler instanceof ResourceWebHandler
                ? Optional.empty()
                : Optional.ofNullable(exchange.getAttributes().get(HandlerMapping.BEST_MATCHING_PATTERN_ATTRIBUTE))
                        .map(Object::toString);
    }

    /** The exchange with attributes of its own. */
    private static final class Copy extends ServerWebExchangeDecorator {
        private final Map<String, Object> attributes;

        Copy(ServerWebExchange exchange) {
            super(exchange);
            attributes = new HashMap<>(exchange.getAttributes());
        }

        @Override
        public Map<String, Object> getAttributes() {
            return attributes;
        }
    }
}
