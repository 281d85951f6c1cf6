package io.sluice.spring.method;

import io.sluice.policy.PolicyEngine;
import io.sluice.spring.NamedPolicies;
import io.sluice.spring.RateLimited;
import java.lang.reflect.Method;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.core.MethodClassKey;
import org.springframework.core.MethodIntrospector;
import org.springframework.util.ClassUtils;

/*
 * A method is read when the first bean of its class is created. Whether its policy exists is checked later, when all singletons exist,
 * because the engine must not be created for the sake of a bean that the engine itself may need. Beans that are created after that
 * are checked at once.
 */
/** The annotated methods of all beans. Thread-safe. */
final class LimitedMethods implements SmartInitializingSingleton {
    private final LimitedMethodReader reader;
    private final Supplier<PolicyEngine> engine;
    private final Supplier<NamedPolicies> named;
    private final LimiterNames names = new LimiterNames();
    private final Set<Class<?>> classes = ConcurrentHashMap.newKeySet();
    private final Map<AnnotatedMethod, LimitedMethod> methods = new ConcurrentHashMap<>();
    private final Map<MethodClassKey, Optional<LimitedMethod>> called = new ConcurrentHashMap<>();
    private volatile boolean started;

    LimitedMethods(LimitedMethodReader reader, Supplier<PolicyEngine> engine, Supplier<NamedPolicies> named) {
        this.reader = reader;
        this.engine = engine;
        this.named = named;
    }

    /** Reads the annotated methods of a class of beans. */
    void add(Class<?> targetClass) {
        Class<?> beanClass = ClassUtils.getUserClass(targetClass);
        if (classes.contains(beanClass)) {
            return;
        }
        MethodIntrospector.selectMethods(beanClass, (Method method) -> {
                    AnnotatedMethod annotated = AnnotatedMethod.of(method, beanClass);
                    return Annotations.of(annotated) == null ? null : annotated;
                })
                .values()
                .forEach(this::add);
        classes.add(beanClass);
    }

    private void add(AnnotatedMethod annotated) {
        RateLimited annotation = Annotations.of(annotated);
        if (annotation == null || methods.containsKey(annotated)) {
            return;
        }
        LimitedMethod method = reader.read(annotated, annotation, names);
        methods.put(annotated, method);
        if (started) {
            method.start(engine.get(), named.get());
        }
    }

    @Override
    public void afterSingletonsInstantiated() {
        started = true;
        methods.values().forEach(method -> method.start(engine.get(), named.get()));
    }

    /** The method that a call reaches; null if it is not limited. */
    @Nullable
    LimitedMethod find(Method method, Class<?> targetClass) {
        MethodClassKey key = new MethodClassKey(method, targetClass);
        Optional<LimitedMethod> found = called.get(key);
        if (found == null) {
            found = Optional.ofNullable(methods.get(AnnotatedMethod.of(method, targetClass)));
            called.put(key, found);
        }
        return found.orElse(null);
    }
}
