package io.sluice.spring.client;

import org.springframework.web.reactive.function.client.ClientRequest;
import org.springframework.web.reactive.function.client.ClientResponse;
import org.springframework.web.reactive.function.client.ExchangeFilterFunction;
import org.springframework.web.reactive.function.client.ExchangeFunction;
import reactor.core.publisher.Mono;
import reactor.core.publisher.SignalType;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/*
 * A store in Redis completes its stages on the thread of its connection. The request must not be sent from there: it would hold up the
 * decisions of all others. So it goes on at a thread of Reactor, unless the permit was there at once.
 */
/**
 * Paces the requests of a {@code WebClient}. No thread waits.
 *
 * @param threads where a request that had to wait goes on
 */
record PacingFilter(PacedClient client, Scheduler threads) implements ExchangeFilterFunction {

    PacingFilter(PacedClient client) {
        this(client, Schedulers.parallel());
    }

    @Override
    public Mono<ClientResponse> filter(ClientRequest request, ExchangeFunction next) {
        if (!client.paces(request.url())) {
            return next.exchange(request);
        }
        OutgoingRequest outgoing = new OutgoingRequest(request.method().name(), request.url(), request.headers());
        return Mono.defer(() -> paced(outgoing, request, next))
                .doOnNext(response -> client.answered(
                        outgoing,
                        response.statusCode().value(),
                        response.headers().asHttpHeaders()));
    }

    private Mono<ClientResponse> paced(OutgoingRequest outgoing, ClientRequest request, ExchangeFunction next) {
        Turn turn = client.turn(outgoing);
        boolean waits = !turn.taken().isDone();
        Mono<Void> taken = Mono.fromFuture(turn.taken(), true);
        return (waits ? taken.publishOn(threads) : taken)
                .then(Mono.defer(() -> turn.use() ? next.exchange(request) : Mono.empty()))
                // After the waiting stage is gone: it would report the cancelled wait as an error that nobody wants.
                .doFinally(end -> {
                    if (end == SignalType.CANCEL) {
                        turn.cancel();
                    }
                });
    }
}
