package io.sluice.spring.gateway;

import io.sluice.TimeSource;
import io.sluice.policy.PolicyDecision;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/*
 * A store in Redis completes its stages on the thread of its connection. The rest of the request must not run there: it would
 * hold up the decisions of all others. So it continues on a thread of Reactor, unless the decision was there at once.
 */
/** Makes decisions part of a chain of Reactor. */
final class Completion {
    private Completion() {}

    /** The decision. Cancelling the Mono cancels the stage, which gives the permits back. */
    static Mono<PolicyDecision> of(Supplier<CompletionStage<PolicyDecision>> decide) {
        return Mono.defer(() -> {
            CompletableFuture<PolicyDecision> future = decide.get().toCompletableFuture();
            return future.isDone() && !future.isCompletedExceptionally()
                    ? Mono.just(future.join())
                    : Mono.fromFuture(future).publishOn(Schedulers.parallel());
        });
    }

    /** What follows a decision, after its delay. No thread waits for it. */
    static <T> Mono<T> afterDelay(TimeSource time, PolicyDecision decision, Mono<T> rest) {
        if (decision.delayMicros() == 0) {
            return rest;
        }
        return Mono.<Void>create(sink -> {
                    Runnable cancel = time.schedule(decision.delayMicros(), sink::success);
                    sink.onDispose(cancel::run);
                })
                .publishOn(Schedulers.parallel())
                .then(rest);
    }
}
