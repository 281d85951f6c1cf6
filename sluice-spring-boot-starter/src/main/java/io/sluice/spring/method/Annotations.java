package io.sluice.spring.method;

import io.sluice.spring.RateLimited;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import org.jspecify.annotations.Nullable;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.util.ReflectionUtils;

/** Finds {@code @RateLimited} on methods, classes, interfaces and other annotations. */
final class Annotations {
    private Annotations() {}

    /** The annotation of a method, its own or that of its class; null if it has none. */
    static @Nullable RateLimited of(AnnotatedMethod annotated) {
        RateLimited own = ofMethod(annotated.method());
        return own == null ? ofClass(annotated) : own;
    }

    /** The annotation of the method itself; null if it has none. */
    static @Nullable RateLimited ofMethod(Method method) {
        return synthesize(
                MergedAnnotations.from(method, SearchStrategy.TYPE_HIERARCHY).get(RateLimited.class));
    }

    private static @Nullable RateLimited ofClass(AnnotatedMethod annotated) {
        Method method = annotated.method();
        if (!Modifier.isPublic(method.getModifiers())
                || Modifier.isStatic(method.getModifiers())
                || isInheritedFinal(annotated)
                || method.getDeclaringClass() == Object.class
                || ReflectionUtils.isObjectMethod(method)) {
            return null;
        }
        RateLimited whole = synthesize(MergedAnnotations.from(annotated.beanClass(), SearchStrategy.TYPE_HIERARCHY)
                .get(RateLimited.class));
        return whole == null || whole.fallback().equals(method.getName()) ? null : whole;
    }

    /** A final method of a superclass: it cannot be limited, and the author of the class cannot change that. */
    private static boolean isInheritedFinal(AnnotatedMethod annotated) {
        return Modifier.isFinal(annotated.method().getModifiers())
                && annotated.method().getDeclaringClass() != annotated.beanClass();
    }

    private static @Nullable RateLimited synthesize(MergedAnnotation<RateLimited> found) {
        return found.isPresent() ? found.synthesize() : null;
    }
}
