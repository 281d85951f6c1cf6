package io.sluice.spring.client;

import org.springframework.web.reactive.function.client.ClientRequest;
import org.springframework.web.reactive.function.client.ClientResponse;
import org.springframework.web.reactive.function.client.ExchangeFilterFunction;
import org.springframework.web.reactive.function.client.ExchangeFunction;
import reactor.core.publisher.Mono;

/** Paces the requests of a {@code WebClient}. No thread waits. */
record PacingFilter(PacedClient client) implements ExchangeFilterFunction {

    @Override
    public Mono<ClientResponse> filter(ClientRequest request, ExchangeFunction next) {
        if (!client.paces(request.url())) {
            return next.exchange(request);
        }
        OutgoingRequest outgoing = new OutgoingRequest(request.method().name(), request.url(), request.headers());
        // Cancelling the Mono cancels the future, which ends the wait.
        return Mono.fromFuture(() -> client.acquire(outgoing))
                .then(Mono.defer(() -> next.exchange(request)))
                .doOnNext(response -> client.answered(
                        outgoing,
                        response.statusCode().value(),
                        response.headers().asHttpHeaders()));
    }
}
