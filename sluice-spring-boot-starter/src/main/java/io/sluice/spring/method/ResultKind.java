package io.sluice.spring.method;

import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

/** Limits the methods of one kind of result. */
interface ResultKind {
    /** Whether a method with this return type is of this kind. */
    boolean handles(Class<?> returnType);

    /** Decides a call, and makes it or answers for it. */
    @Nullable
    Object invoke(LimitedMethod method, MethodInvocation invocation) throws Throwable;
}
