package io.sluice.spring.method;

import io.sluice.RateLimitedException;
import io.sluice.policy.PolicyEngine;
import io.sluice.spring.NamedPolicies;
import java.util.Map;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

/** An annotated method that was checked: how its calls are decided and answered. Thread-safe. */
final class LimitedMethod {
    private final AnnotatedMethod method;
    private final CallReader calls;
    private final Rule rule;
    private final ResultKind kind;
    private final @Nullable Fallback fallback;

    LimitedMethod(AnnotatedMethod method, CallReader calls, Rule rule, ResultKind kind, @Nullable Fallback fallback) {
        this.method = method;
        this.calls = calls;
        this.rule = rule;
        this.kind = kind;
        this.fallback = fallback;
    }

    /** All singletons exist: the policies can be checked. */
    void start(PolicyEngine engine, NamedPolicies named) {
        rule.start(engine, named);
    }

    ResultKind kind() {
        return kind;
    }

    /** Decides a call, on this thread. The future is not complete as long as the call has to wait for its permits. */
    AdmissionFuture admit(MethodInvocation invocation, Map<String, String> request) {
        return rule.admit(calls.read(invocation, request));
    }

    /** Decides a call without blocking. Cancelling the future gives the permits back. */
    AdmissionFuture admitAsync(MethodInvocation invocation, Map<String, String> request) {
        return rule.admitAsync(calls.read(invocation, request));
    }

    /** Calls the method, or answers for it if the call is denied: by the fallback, or by the exception. */
    @Nullable
    Object answer(MethodInvocation invocation, Admission admission) throws Throwable {
        RateLimitedException denial = admission.denial();
        if (denial == null) {
            return invocation.proceed();
        }
        if (fallback == null) {
            throw denial;
        }
        return fallback.answer(invocation, denial);
    }

    @Override
    public String toString() {
        return method.toString();
    }
}
