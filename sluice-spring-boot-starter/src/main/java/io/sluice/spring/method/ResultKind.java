package io.sluice.spring.method;

import java.lang.reflect.Method;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

/** Limits the methods of one kind of result. */
interface ResultKind {
    /** Whether a method with this return type is of this kind. */
    boolean handles(Class<?> returnType);

    /** Whether a call of a method finds the HTTP request that it is part of. */
    boolean knowsRequestOf(Method method);

    /** Decides a call, and makes it or answers for it. */
    @Nullable
    Object invoke(LimitedMethod method, MethodInvocation invocation) throws Throwable;
}
