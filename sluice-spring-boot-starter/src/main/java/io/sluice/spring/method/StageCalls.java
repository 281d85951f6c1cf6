package io.sluice.spring.method;

import java.lang.reflect.Method;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

/** Methods that return a {@link CompletionStage} or a {@link CompletableFuture}. Nothing blocks. */
final class StageCalls implements ResultKind {
    /** Where stages continue by default. */
    private static final Executor ASYNC = new CompletableFuture<>().defaultExecutor();

    private final RequestLookup requests;

    StageCalls(RequestLookup requests) {
        this.requests = requests;
    }

    @Override
    public boolean handles(Class<?> returnType) {
        return returnType == CompletionStage.class || returnType == CompletableFuture.class;
    }

    @Override
    public boolean knowsRequestOf(Method method) {
        return requests.canFindFor(method);
    }

    @Override
    public @Nullable Object invoke(LimitedMethod method, MethodInvocation invocation) {
        AdmissionFuture admission;
        try {
            admission = method.admitAsync(invocation, requests.attributes(invocation.getArguments()));
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
        if (admission.isDone() && !admission.isCompletedExceptionally()) {
            return answer(method, invocation, admission.join());
        }
        CompletableFuture<@Nullable Object> result = new CompletableFuture<>();
        cancelTogether(result, admission);
        // Not on the thread that completes the decision: it may be that of the connection to Redis, and the method may
        // take long. Not by whenCompleteAsync: its thread may take over other dependents of the admission, so that a
        // caller
        // who has cancelled the result could go on before its permits are given back.
        admission.whenComplete(
                (decided, failure) -> ASYNC.execute(() -> finish(method, invocation, decided, failure, result)));
        return result;
    }

    private static void finish(
            LimitedMethod method,
            MethodInvocation invocation,
            Admission decided,
            @Nullable Throwable failure,
            CompletableFuture<@Nullable Object> result) {
        if (failure != null) {
            result.completeExceptionally(failure);
        } else if (!result.isDone()) {
            relay(answer(method, invocation, decided), result);
        } else {
            decided.leave();
        }
    }

    private static @Nullable CompletionStage<?> answer(
            LimitedMethod method, MethodInvocation invocation, Admission admission) {
        CompletionStage<?> stage;
        try {
            stage = (CompletionStage<?>) method.answer(invocation, admission);
        } catch (Throwable e) {
            admission.leave();
            return CompletableFuture.failedFuture(e);
        }
        if (stage == null) {
            admission.leave();
        } else if (admission.permit().isHeld()) {
            stage.whenComplete((value, failure) -> admission.leave());
        }
        return stage;
    }

    private static void relay(@Nullable CompletionStage<?> stage, CompletableFuture<@Nullable Object> result) {
        if (stage == null) {
            result.completeExceptionally(new NullPointerException("the method returned null instead of a stage"));
            return;
        }
        stage.whenComplete((value, failure) -> {
            if (failure != null) {
                result.completeExceptionally(failure);
            } else {
                result.complete(value);
            }
        });
        if (stage instanceof CompletableFuture<?> future) {
            cancelTogether(result, future);
        }
    }

    private static void cancelTogether(CompletableFuture<?> result, CompletableFuture<?> source) {
        result.whenComplete((value, failure) -> {
            if (result.isCancelled()) {
                source.cancel(true);
            }
        });
    }
}
