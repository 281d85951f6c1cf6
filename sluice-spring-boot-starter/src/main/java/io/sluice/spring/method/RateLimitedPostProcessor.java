package io.sluice.spring.method;

import java.lang.reflect.Proxy;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.framework.AopInfrastructureBean;
import org.springframework.aop.framework.autoproxy.AbstractBeanFactoryAwareAdvisingPostProcessor;
import org.springframework.aop.support.AopUtils;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.core.Ordered;
import org.springframework.util.ClassUtils;

/*
 * The order: before the post processors that call methods of beans by themselves (schedulers, listeners of messages) and that have the
 * lowest precedence, so that they see the limited bean.
 */
/** Puts the interceptor before the annotated methods of beans, and checks these methods. */
final class RateLimitedPostProcessor extends AbstractBeanFactoryAwareAdvisingPostProcessor {
    private static final long serialVersionUID = 1;

    private final transient Supplier<LimitedMethods> methods;

    /** @param methods asked only when the first annotated bean is created, so that nothing is created too early */
    RateLimitedPostProcessor(Supplier<LimitedMethods> methods, Supplier<RateLimitedInterceptor> interceptor) {
        this.methods = methods;
        this.advisor = new DefaultPointcutAdvisor(new RateLimitedPointcut(), new LazyInterceptor(interceptor));
        setOrder(Ordered.LOWEST_PRECEDENCE - 100);
        setBeforeExistingAdvisors(true);
    }

    @Override
    public @Nullable Object postProcessAfterInitialization(Object bean, String beanName) {
        if (!(bean instanceof AopInfrastructureBean) && isEligible(bean, beanName)) {
            Class<?> beanClass = AopUtils.getTargetClass(bean);
            methods.get().add(beanClass);
            if (needsSubclass(bean)) {
                methods.get().requireSubclass(beanClass);
            }
        }
        return super.postProcessAfterInitialization(bean, beanName);
    }

    /** Whether Spring has to make a subclass of the bean's class, to put the interceptor before its methods. */
    private boolean needsSubclass(Object bean) {
        Class<?> type = bean.getClass();
        return !(bean instanceof Advised)
                && !Proxy.isProxyClass(type)
                && !ClassUtils.isLambdaClass(type)
                && (isProxyTargetClass() || ClassUtils.getAllInterfacesForClass(type).length == 0);
    }
}
