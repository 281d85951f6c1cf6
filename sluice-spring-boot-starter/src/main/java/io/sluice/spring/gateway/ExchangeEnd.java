package io.sluice.spring.gateway;

import io.sluice.spring.web.RequestScope.End;
import io.sluice.spring.web.RequestScope.Ending;
import org.jspecify.annotations.Nullable;
import org.springframework.cloud.gateway.filter.GatewayFilterChain;
import org.springframework.cloud.gateway.filter.GlobalFilter;
import org.springframework.core.Ordered;
import org.springframework.http.HttpStatusCode;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.observability.DefaultSignalListener;
import reactor.core.publisher.Mono;

/*
 * The gateway writes the response in a filter that stands before those of the route. So a filter of a route does not see the end of
 * the response, but this filter does, because it is the first of all.
 */
/** Ends the scopes of an exchange when its response is done: written, failed or cancelled. */
final class ExchangeEnd implements GlobalFilter, Ordered {

    @Override
    public int getOrder() {
        return HIGHEST_PRECEDENCE;
    }

    @Override
    public Mono<Void> filter(ServerWebExchange exchange, GatewayFilterChain chain) {
        ExchangeScopes scopes = new ExchangeScopes();
        exchange.getAttributes().put(ExchangeScopes.ATTRIBUTE, scopes);
        return chain.filter(exchange).tap(() -> new Watch(exchange, scopes));
    }

    /** Ends the scopes. One operator for all endings costs less than one for each. */
    private static final class Watch extends DefaultSignalListener<Void> {
        private final ServerWebExchange exchange;
        private final ExchangeScopes scopes;

        Watch(ServerWebExchange exchange, ExchangeScopes scopes) {
            this.exchange = exchange;
            this.scopes = scopes;
        }

        @Override
        public void doOnComplete() {
            scopes.end(new End(Ending.COMPLETED, status(exchange), null));
        }

        @Override
        public void doOnError(Throwable failure) {
            scopes.end(new End(Ending.of(failure), status(exchange), failure));
        }

        @Override
        public void doOnCancel() {
            scopes.end(new End(Ending.CANCELLED, status(exchange), null));
        }
    }

    private static int status(ServerWebExchange exchange) {
        @Nullable HttpStatusCode status = exchange.getResponse().getStatusCode();
        return status == null ? 0 : status.value();
    }
}
