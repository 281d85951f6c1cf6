package io.sluice.spring.method;

import java.lang.reflect.Method;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What an expression can use as {@code #root}. */
final class CallRoot {
    /** The names of its properties. */
    static final Set<String> PROPERTIES = Set.of("target", "method", "args");

    private final @Nullable Object target;
    private final Method method;
    private final @Nullable Object[] args;

    CallRoot(@Nullable Object target, Method method, @Nullable Object[] args) {
        this.target = target;
        this.method = method;
        this.args = args;
    }

    public @Nullable Object getTarget() {
        return target;
    }

    public Method getMethod() {
        return method;
    }

    public @Nullable Object[] getArgs() {
        return args;
    }
}
