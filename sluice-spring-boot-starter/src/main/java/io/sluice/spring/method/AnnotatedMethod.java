package io.sluice.spring.method;

import io.sluice.spring.SluiceSettingsException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.springframework.aop.support.AopUtils;
import org.springframework.util.ClassUtils;

/**
 * A method that is limited, and the class of its bean.
 *
 * @param method the method of that class, or of an interface if the bean is a proxy
 */
record AnnotatedMethod(Method method, Class<?> beanClass) {
    /** The method that a call of this method on a bean reaches. */
    static AnnotatedMethod of(Method called, Class<?> targetClass) {
        Class<?> beanClass = ClassUtils.getUserClass(targetClass);
        return new AnnotatedMethod(
                Proxy.isProxyClass(beanClass) ? called : AopUtils.getMostSpecificMethod(called, beanClass), beanClass);
    }

    /** The class to name: that of the bean, or the interface if the bean is a proxy. */
    private Class<?> owner() {
        return Proxy.isProxyClass(beanClass) ? method.getDeclaringClass() : beanClass;
    }

    /** As in {@code Orders.create}, with the types of the parameters if the class has several methods of that name. */
    String limiterName() {
        String packageName = owner().getPackageName();
        String className = ClassUtils.getQualifiedName(owner())
                .substring(packageName.isEmpty() ? 0 : packageName.length() + 1)
                .replace('$', '.');
        long methods = Arrays.stream(owner().getMethods())
                .filter(other -> other.getName().equals(method.getName()) && !other.isBridge())
                .count();
        return className + "." + method.getName() + (methods > 1 ? parameters(",") : "");
    }

    private String parameters(String separator) {
        return Arrays.stream(method.getParameterTypes())
                .map(Class::getSimpleName)
                .collect(Collectors.joining(separator, "(", ")"));
    }

    /** An exception that names this method. */
    SluiceSettingsException refuse(String problem, String action) {
        return new SluiceSettingsException(where() + ": " + problem, action);
    }

    /** The annotation on this method, for messages. */
    String where() {
        return "@RateLimited on " + this;
    }

    /** As in {@code com.acme.Orders.create(String, int)}. */
    @Override
    public String toString() {
        return ClassUtils.getQualifiedName(owner()) + "." + method.getName() + parameters(", ");
    }
}
