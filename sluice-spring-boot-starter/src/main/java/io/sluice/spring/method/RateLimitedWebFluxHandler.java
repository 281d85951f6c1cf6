package io.sluice.spring.method;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.sluice.RateLimitedException;
import io.sluice.http.QuotaExceeded;
import io.sluice.spring.web.DenialOf;
import io.sluice.spring.web.RateLimitResponse;
import org.springframework.core.Ordered;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebExceptionHandler;
import reactor.core.publisher.Mono;

/** Responds with 429 if {@link RateLimitedException} leaves a handler of WebFlux. Exception handlers of controllers come first. */
final class RateLimitedWebFluxHandler implements WebExceptionHandler, Ordered {
    /** Before the handler of Spring Boot, which answers every failure with 500 and has the order -1. */
    @Override
    public int getOrder() {
        return -2;
    }

    @Override
    public Mono<Void> handle(ServerWebExchange exchange, Throwable failure) {
        RateLimitedException denial = DenialOf.response(failure);
        ServerHttpResponse response = exchange.getResponse();
        if (denial == null || !response.setStatusCode(HttpStatus.TOO_MANY_REQUESTS)) {
            return Mono.error(failure);
        }
        byte[] body = RateLimitResponse.body(denial).getBytes(UTF_8);
        HttpHeaders headers = response.getHeaders();
        headers.set(HttpHeaders.CONTENT_TYPE, QuotaExceeded.CONTENT_TYPE);
        headers.setContentLength(body.length);
        long retryAfter = RateLimitResponse.retryAfter(denial);
        if (retryAfter > 0) {
            headers.set(HttpHeaders.RETRY_AFTER, Long.toString(retryAfter));
        }
        return response.writeWith(
                Mono.fromSupplier(() -> response.bufferFactory().wrap(body)));
    }
}
