package io.sluice.spring.method;

import io.sluice.TimeSource;
import io.sluice.policy.PolicyEngine;
import io.sluice.spi.PolicyStore;
import io.sluice.spring.DecisionObserver;
import io.sluice.spring.NamedPolicies;
import io.sluice.spring.SluiceProperties;
import io.sluice.spring.autoconfigure.SluiceAutoConfiguration;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.autoconfigure.condition.NoneNestedConditions;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Role;
import org.springframework.core.env.Environment;
import org.springframework.util.function.SingletonSupplier;
import org.springframework.web.context.request.RequestContextHolder;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/** Methods and classes with {@code @RateLimited}. */
@AutoConfiguration(after = SluiceAutoConfiguration.class)
@ConditionalOnProperty(
        name = {"sluice.enabled", "sluice.methods.enabled"},
        matchIfMissing = true)
@ConditionalOnBean(PolicyEngine.class)
public class SluiceMethodAutoConfiguration {

    /** Limits the methods of beans. It is created before all beans, and so asks for its parts only when they are needed. */
    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static RateLimitedPostProcessor sluiceRateLimitedPostProcessor(
            ObjectProvider<LimitedMethods> methods,
            ObjectProvider<RateLimitedInterceptor> interceptor,
            Environment environment) {
        RateLimitedPostProcessor processor = new RateLimitedPostProcessor(methods::getObject, interceptor::getObject);
        processor.setProxyTargetClass(environment.getProperty("spring.aop.proxy-target-class", Boolean.class, true));
        return processor;
    }

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static RateLimitedInterceptor sluiceRateLimitedInterceptor(LimitedMethods methods) {
        return new RateLimitedInterceptor(methods);
    }

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static LimitedMethods sluiceLimitedMethods(
            ConfigurableApplicationContext context,
            ObjectProvider<PolicyEngine> engine,
            ObjectProvider<PolicyStore> store,
            ObjectProvider<SluiceProperties> settings,
            ObjectProvider<NamedPolicies> named,
            ObjectProvider<DecisionObserver> observer,
            ObjectProvider<TimeSource> time,
            ObjectProvider<RequestLookup> requests,
            ObjectProvider<ResultKind> kinds) {
        RequestLookup lookup = requests.getIfAvailable(() -> RequestLookup.NONE);
        Supplier<PolicyEngine> lazyEngine = once(engine::getObject);
        LimitedMethodReader reader = new LimitedMethodReader(
                context.getBeanFactory(),
                new ResultKinds(
                        () -> Stream.concat(Stream.of(new StageCalls(lookup)), kinds.orderedStream()),
                        new SyncCalls(lookup)),
                new MethodLimiters(
                        store::getObject, () -> settings.getObject().redis().onFailure(), context.getStartupDate()),
                lazyEngine,
                once(observer::getObject),
                once(() -> time.getIfAvailable(TimeSource::system)));
        return new LimitedMethods(context.getBeanFactory(), reader, lazyEngine, named::getObject);
    }

    private static <T> Supplier<T> once(Supplier<T> supplier) {
        return SingletonSupplier.of(supplier)::obtain;
    }

    /** The attributes of the request that a thread answers. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(RequestContextHolder.class)
    @Conditional(NotReactive.class)
    static class Requests {
        @Bean
        @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
        static ThreadRequestLookup sluiceThreadRequestLookup() {
            return new ThreadRequestLookup();
        }
    }

    /** The attributes of a request of WebFlux. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(ServerWebExchange.class)
    @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
    static class Exchanges {
        @Bean
        @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
        static ExchangeRequestLookup sluiceExchangeRequestLookup() {
            return new ExchangeRequestLookup();
        }
    }

    /** The application is not one of WebFlux. */
    static final class NotReactive extends NoneNestedConditions {
        NotReactive() {
            super(ConfigurationPhase.PARSE_CONFIGURATION);
        }

        @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
        static class WebFluxApplication {}
    }

    /** Methods that return a Mono or a Flux. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(Mono.class)
    static class Reactive {
        @Bean
        @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
        static ReactiveCalls sluiceReactiveCalls(ObjectProvider<RequestLookup> requests) {
            return new ReactiveCalls(requests.getIfAvailable(() -> RequestLookup.NONE));
        }
    }
}
