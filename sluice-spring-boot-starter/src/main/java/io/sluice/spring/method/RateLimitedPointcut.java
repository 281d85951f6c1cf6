package io.sluice.spring.method;

import java.lang.reflect.Method;
import org.springframework.aop.support.StaticMethodMatcherPointcut;

/** The methods that {@code @RateLimited} limits. */
final class RateLimitedPointcut extends StaticMethodMatcherPointcut {
    @Override
    public boolean matches(Method method, Class<?> targetClass) {
        return Annotations.of(AnnotatedMethod.of(method, targetClass)) != null;
    }
}
