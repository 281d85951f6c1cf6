package io.sluice.spring.method;

import java.util.function.Supplier;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.util.function.SingletonSupplier;

/** Asks for the interceptor at the first call, because the advice exists before all beans. */
final class LazyInterceptor implements MethodInterceptor {
    private final SingletonSupplier<RateLimitedInterceptor> interceptor;

    LazyInterceptor(Supplier<RateLimitedInterceptor> interceptor) {
        this.interceptor = SingletonSupplier.of(interceptor);
    }

    @Override
    public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
        return interceptor.obtain().invoke(invocation);
    }
}
