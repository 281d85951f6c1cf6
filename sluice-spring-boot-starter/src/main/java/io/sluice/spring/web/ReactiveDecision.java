package io.sluice.spring.web;

import io.sluice.TimeSource;
import io.sluice.policy.PolicyDecision;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoSink;
import reactor.core.scheduler.Schedulers;

/*
 * A store in Redis completes its stages on the thread of its connection. The rest of the request must not run there: it would
 * hold up the decisions of all others. So it continues where it would run without a decision, on the event loop of its connection,
 * or on a thread of Reactor if the server has no event loop. If the decision was there at once, the request stays on its thread.
 */
/** Makes decisions part of a chain of Reactor. */
public final class ReactiveDecision {
    private ReactiveDecision() {}

    /** A decision for an exchange. Cancelling the Mono cancels the stage, which gives the permits back. */
    public static Mono<PolicyDecision> of(
            ServerWebExchange exchange, Supplier<CompletionStage<PolicyDecision>> decide) {
        return Mono.defer(() -> begun(exchange, decide.get()));
    }

    /** {@link #of(ServerWebExchange, Supplier)} for a decision that was asked for when the chain was subscribed to. */
    public static Mono<PolicyDecision> begun(ServerWebExchange exchange, CompletionStage<PolicyDecision> decision) {
        CompletableFuture<PolicyDecision> future = decision.toCompletableFuture();
        return isThere(future) ? Mono.just(future.join()) : continued(future, EventLoops.of(exchange));
    }

    /** A decision, or what follows from it, without an exchange. */
    public static <T> Mono<T> of(Supplier<CompletionStage<T>> decide) {
        return Mono.defer(() -> {
            CompletableFuture<T> future = decide.get().toCompletableFuture();
            return isThere(future)
                    ? Mono.just(future.join())
                    : Mono.fromFuture(future).publishOn(Schedulers.parallel());
        });
    }

    private static boolean isThere(CompletableFuture<?> future) {
        return future.isDone() && !future.isCompletedExceptionally();
    }

    static <T> Mono<T> continued(CompletableFuture<T> future, Executor executor) {
        return Mono.create(sink -> {
            // A cancelled caller wants no error: Reactor would log it.
            AtomicBoolean cancelled = new AtomicBoolean();
            sink.onCancel(() -> {
                cancelled.set(true);
                future.cancel(true);
            });
            future.whenComplete((done, failure) -> {
                if (!cancelled.get()) {
                    run(executor, () -> emit(sink, done, failure));
                }
            });
        });
    }

    /** An event loop that has shut down refuses. The decision must not be lost: nobody would ever answer the request. */
    private static void run(Executor executor, Runnable task) {
        try {
            executor.execute(task);
        } catch (RejectedExecutionException e) {
            task.run();
        }
    }

    private static <T> void emit(MonoSink<T> sink, @Nullable T done, @Nullable Throwable failure) {
        if (failure == null) {
            sink.success(done);
        } else {
            Throwable cause = failure instanceof CompletionException ? failure.getCause() : null;
            sink.error(cause == null ? failure : cause);
        }
    }

    /**
     * What follows a decision, after its delay. No thread waits for it.
     *
     * @param giveBack gives back the permits, if the delay is cancelled
     */
    public static <T> Mono<T> afterDelay(TimeSource time, PolicyDecision decision, Mono<T> rest, Runnable giveBack) {
        if (decision.delayMicros() == 0) {
            return rest;
        }
        return Mono.<Void>create(sink -> {
                    Runnable stop = time.schedule(decision.delayMicros(), sink::success);
                    sink.onCancel(() -> {
                        stop.run();
                        giveBack.run();
                    });
                })
                .publishOn(Schedulers.parallel())
                .then(rest);
    }
}
