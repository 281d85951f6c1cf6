package io.sluice.spring.web;

import io.sluice.spring.web.RequestScope.Ending;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import reactor.core.publisher.Mono;

/** Requests that the test answers. */
final class Pending {
    private final BlockingQueue<CompletableFuture<String>> arrived = new LinkedBlockingQueue<>();
    private final Endings endings = new Endings();

    /** A request has arrived. */
    Mono<String> arrive(RequestScope scope) {
        endings.watch(scope);
        CompletableFuture<String> answer = new CompletableFuture<>();
        arrived.add(answer);
        return Mono.fromFuture(answer);
    }

    /** The answer of the next request. Waits for the request, at most a minute. */
    CompletableFuture<String> arrived() throws InterruptedException {
        CompletableFuture<String> next = arrived.poll(1, TimeUnit.MINUTES);
        if (next == null) {
            throw new AssertionError("no request has arrived");
        }
        return next;
    }

    /** How the next request ended. Waits for it, at most a minute. */
    Ending ended() throws InterruptedException {
        return endings.next().ending();
    }
}
