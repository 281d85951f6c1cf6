package io.sluice.spring.method;

import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;

/** Decides the calls of annotated methods. */
final class RateLimitedInterceptor implements MethodInterceptor {
    private final LimitedMethods methods;

    RateLimitedInterceptor(LimitedMethods methods) {
        this.methods = methods;
    }

    @Override
    public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
        Object target = invocation.getThis();
        LimitedMethod limited = methods.find(
                invocation.getMethod(),
                target == null ? invocation.getMethod().getDeclaringClass() : AopUtils.getTargetClass(target));
        return limited == null ? invocation.proceed() : limited.kind().invoke(limited, invocation);
    }
}
