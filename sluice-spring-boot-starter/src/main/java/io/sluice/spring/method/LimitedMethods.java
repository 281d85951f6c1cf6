package io.sluice.spring.method;

import io.sluice.policy.PolicyEngine;
import io.sluice.spring.NamedPolicies;
import io.sluice.spring.RateLimited;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.MethodClassKey;
import org.springframework.core.MethodIntrospector;
import org.springframework.util.ClassUtils;

/*
 * A method is read when the first bean of its class is created. Whether its policy exists is checked later, when all singletons exist,
 * because the engine must not be created for the sake of a bean that the engine itself may need. Then also the classes of beans that
 * do not exist yet are read: a mistake there must not wait for the first call, and the filters have to know now which policies are
 * named. Beans of other classes that are created after that are checked at once.
 */
/** The annotated methods of all beans. Thread-safe. */
final class LimitedMethods implements SmartInitializingSingleton {
    private final ConfigurableListableBeanFactory beans;
    private final LimitedMethodReader reader;
    private final Supplier<PolicyEngine> engine;
    private final Supplier<NamedPolicies> named;
    private final LimiterNames names = new LimiterNames();
    private final Set<Class<?>> classes = ConcurrentHashMap.newKeySet();
    private final Map<AnnotatedMethod, LimitedMethod> methods = new ConcurrentHashMap<>();
    private final Map<MethodClassKey, Optional<LimitedMethod>> called = new ConcurrentHashMap<>();
    private volatile boolean started;

    LimitedMethods(
            ConfigurableListableBeanFactory beans,
            LimitedMethodReader reader,
            Supplier<PolicyEngine> engine,
            Supplier<NamedPolicies> named) {
        this.beans = beans;
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

    /** @throws io.sluice.spring.SluiceSettingsException if the class cannot have a subclass */
    void requireSubclass(Class<?> beanClass) {
        if (Modifier.isFinal(beanClass.getModifiers())) {
            for (AnnotatedMethod annotated : methods.keySet()) {
                if (annotated.beanClass() == beanClass) {
                    throw annotated.refuse(
                            "the class is final, so that its calls cannot go through the bean (expected: a class that can"
                                    + " have subclasses)",
                            "Remove final. In Kotlin, open the class, or use the compiler plugin kotlin-spring. A class"
                                    + " with an interface can stay final with spring.aop.proxy-target-class: false.");
                }
            }
        }
    }

    @Override
    public void afterSingletonsInstantiated() {
        UncreatedBeans.types(beans).forEach(this::add);
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
