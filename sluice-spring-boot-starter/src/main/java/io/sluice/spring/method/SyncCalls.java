package io.sluice.spring.method;

import io.sluice.spring.web.RequestScope;
import java.lang.reflect.Method;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

/** Methods whose result is not asynchronous: the thread of the caller waits. */
final class SyncCalls implements ResultKind {
    private final RequestLookup requests;

    SyncCalls(RequestLookup requests) {
        this.requests = requests;
    }

    @Override
    public boolean handles(Class<?> returnType) {
        return true;
    }

    @Override
    public boolean knowsRequestOf(Method method) {
        return requests.canFindFor(method);
    }

    @Override
    public @Nullable Object invoke(LimitedMethod method, MethodInvocation invocation) throws Throwable {
        Admission admission =
                await(method, invocation, method.admit(invocation, requests.attributes(invocation.getArguments())));
        boolean goesOn = false;
        try {
            Object result = method.answer(invocation, admission);
            goesOn = admission.permit().isHeld() && Unfinished.is(result) && leavesWithTheRequest(admission);
            return result;
        } finally {
            if (!goesOn) {
                admission.leave();
            }
        }
    }

    /** Leaves when the response is done. Returns false if no request is being answered. */
    private boolean leavesWithTheRequest(Admission admission) {
        RequestScope scope = requests.scope();
        if (scope == null) {
            return false;
        }
        scope.onEnd(end -> admission.leave());
        return true;
    }

    private static Admission await(LimitedMethod method, MethodInvocation invocation, AdmissionFuture admission)
            throws Throwable {
        try {
            return admission.get();
        } catch (ExecutionException e) {
            throw e.getCause() == null ? e : e.getCause();
        } catch (InterruptedException e) {
            admission.cancel(false);
            throw interrupted(method, invocation, e);
        }
    }

    /** A proxy can throw only those checked exceptions that the method declares. */
    private static Exception interrupted(LimitedMethod method, MethodInvocation invocation, InterruptedException e) {
        for (Class<?> declared : invocation.getMethod().getExceptionTypes()) {
            if (declared.isAssignableFrom(InterruptedException.class)) {
                return e;
            }
        }
        Thread.currentThread().interrupt();
        CancellationException cancelled =
                new CancellationException("interrupted while " + method + " waited for its permits");
        cancelled.initCause(e);
        return cancelled;
    }
}
