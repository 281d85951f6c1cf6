package io.sluice.spring.method;

import io.sluice.RateLimitedException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/** The method that answers calls that are denied. */
final class Fallback {
    private final Method method;
    private final boolean takesArguments;
    private final boolean takesDenial;

    private Fallback(Method method, boolean takesArguments, boolean takesDenial) {
        this.method = method;
        this.takesArguments = takesArguments;
        this.takesDenial = takesDenial;
        ReflectionUtils.makeAccessible(method);
    }

    /**
     * Finds the fallback of a method.
     *
     * @throws io.sluice.spring.SluiceSettingsException if there is none of a shape that can answer for the method
     */
    static Fallback find(AnnotatedMethod limited, String name) {
        List<Method> candidates = candidates(limited.beanClass(), name);
        Class<?>[] own = limited.method().getParameterTypes();
        Class<?>[] both = Arrays.copyOf(own, own.length + 1);
        both[own.length] = RateLimitedException.class;
        Method found = withParameters(candidates, both);
        if (found != null) {
            return of(limited, found, own.length > 0, true);
        }
        found = withParameters(candidates, own);
        if (found != null && !found.equals(limited.method())) {
            return of(limited, found, true, false);
        }
        found = withParameters(candidates, RateLimitedException.class);
        if (found != null) {
            return of(limited, found, false, true);
        }
        throw limited.refuse(
                "fallback \"" + name + "\": "
                        + (candidates.isEmpty()
                                ? "the class has no such method"
                                : "the method has other parameters: "
                                        + candidates.get(0).toGenericString())
                        + " (expected: the parameters of the annotated method, or these and a last RateLimitedException, or"
                        + " only that)",
                "Add such a method to " + limited.beanClass().getName() + "; it may be private.");
    }

    private static List<Method> candidates(Class<?> beanClass, String name) {
        return Stream.concat(
                        Stream.of(ReflectionUtils.getAllDeclaredMethods(beanClass)),
                        Stream.of(ClassUtils.getAllInterfacesForClass(beanClass))
                                .flatMap(type -> Stream.of(type.getMethods())))
                .filter(method -> method.getName().equals(name) && !method.isBridge())
                .toList();
    }

    private static @Nullable Method withParameters(List<Method> candidates, Class<?>... parameters) {
        return candidates.stream()
                .filter(method -> Arrays.equals(method.getParameterTypes(), parameters))
                .findFirst()
                .orElse(null);
    }

    private static Fallback of(AnnotatedMethod limited, Method method, boolean takesArguments, boolean takesDenial) {
        Class<?> expected = limited.method().getReturnType();
        if (expected != void.class && !ClassUtils.isAssignable(expected, method.getReturnType())) {
            throw limited.refuse(
                    "fallback \"" + method.getName() + "\" returns "
                            + method.getReturnType().getName() + " (expected: " + expected.getName()
                            + ", as the annotated method)",
                    "Change the return type of the fallback.");
        }
        return new Fallback(method, takesArguments, takesDenial);
    }

    /** Answers a call that is denied. */
    @Nullable
    Object answer(MethodInvocation invocation, RateLimitedException denial) throws Throwable {
        @Nullable Object[] arguments = takesArguments ? invocation.getArguments() : new @Nullable Object[0];
        if (takesDenial) {
            arguments = Arrays.copyOf(arguments, arguments.length + 1);
            arguments[arguments.length - 1] = denial;
        }
        try {
            return method.invoke(Modifier.isStatic(method.getModifiers()) ? null : invocation.getThis(), arguments);
        } catch (InvocationTargetException e) {
            throw e.getTargetException();
        }
    }
}
