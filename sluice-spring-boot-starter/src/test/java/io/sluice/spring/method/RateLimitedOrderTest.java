package io.sluice.spring.method;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.RateLimitedException;
import io.sluice.policy.PolicyDecision;
import io.sluice.spring.DecisionObserver;
import io.sluice.spring.RateLimited;
import io.sluice.testkit.ManualTime;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.aop.interceptor.AsyncUncaughtExceptionHandler;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.AsyncConfigurer;
import org.springframework.scheduling.annotation.EnableAsync;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;
import org.springframework.transaction.support.DefaultTransactionStatus;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** What comes first: the limit, a transaction, or another thread. */
class RateLimitedOrderTest {
    private static final String ASYNC_THREAD = "async-of-the-test";

    private final ManualTime time = new ManualTime();

    static class Orders {
        private final App app;

        Orders(App app) {
            this.app = app;
        }

        @Transactional
        @RateLimited(limit = "1/h")
        public void inTransaction() {
            app.add("call, transaction " + TransactionSynchronizationManager.isActualTransactionActive());
        }

        @Async
        @RateLimited(limit = "1/h", maxWait = "1h")
        public void waitLater() {
            app.add("call on " + Thread.currentThread().getName());
        }

        @Async
        @RateLimited(limit = "1/h")
        public void later() {}
    }

    /** Writes down what happens. */
    @Configuration(proxyBeanMethods = false)
    @EnableTransactionManagement
    @EnableAsync
    static class App implements AsyncConfigurer {
        private final BlockingQueue<String> journal = new LinkedBlockingQueue<>();

        void add(String event) {
            journal.add(event);
        }

        /** The next event. Waits for it, at most a minute. */
        @Nullable
        String next() throws InterruptedException {
            return journal.poll(1, TimeUnit.MINUTES);
        }

        @Override
        public Executor getAsyncExecutor() {
            return task -> {
                Thread thread = new Thread(task, ASYNC_THREAD);
                thread.setDaemon(true);
                thread.start();
            };
        }

        @Override
        public AsyncUncaughtExceptionHandler getAsyncUncaughtExceptionHandler() {
            return (failure, method, arguments) ->
                    add("uncaught " + failure.getClass().getSimpleName());
        }

        @Bean
        DecisionObserver observer() {
            return new DecisionObserver() {
                @Override
                public PolicyDecision observe(String surface, Supplier<PolicyDecision> decision) {
                    PolicyDecision decided = decision.get();
                    add((decided.allowed() ? "allowed" : "denied") + " on "
                            + Thread.currentThread().getName());
                    return decided;
                }
            };
        }

        @Bean
        Orders orders() {
            return new Orders(this);
        }

        @Bean
        AbstractPlatformTransactionManager transactions() {
            return new AbstractPlatformTransactionManager() {
                private static final long serialVersionUID = 1;

                @Override
                protected Object doGetTransaction() {
                    return new Object();
                }

                @Override
                protected void doBegin(Object transaction, TransactionDefinition definition) {
                    add("begin");
                }

                @Override
                protected void doCommit(DefaultTransactionStatus status) {
                    add("commit");
                }

                @Override
                protected void doRollback(DefaultTransactionStatus status) {
                    add("rollback");
                }
            };
        }
    }

    @Test
    void limit_isAskedBeforeATransactionIsOpened() {
        MethodContexts.at(time).withUserConfiguration(App.class).run(context -> {
            Orders orders = context.getBean(Orders.class);
            orders.inTransaction();
            assertThatThrownBy(orders::inTransaction).isInstanceOf(RateLimitedException.class);
            String here = " on " + Thread.currentThread().getName();
            assertThat(context.getBean(App.class).journal)
                    .containsExactly("allowed" + here, "begin", "call, transaction true", "commit", "denied" + here);
        });
    }

    /** The caller would hang here if it had to wait: nobody moves the time meanwhile. */
    @Test
    void asyncMethod_waitsOnItsOwnThread() {
        MethodContexts.at(time).withUserConfiguration(App.class).run(context -> {
            Orders orders = context.getBean(Orders.class);
            orders.waitLater();
            assertThat(context.getBean(App.class).next()).isEqualTo("call on " + ASYNC_THREAD);
            int tasks = time.scheduled();
            orders.waitLater();
            time.awaitScheduled(tasks + 1);
            time.advance(Duration.ofHours(1));
            assertThat(context.getBean(App.class).next()).isEqualTo("call on " + ASYNC_THREAD);
        });
    }

    @Test
    void denial_ofAnAsyncMethod_goesTheWayOfAsync() {
        MethodContexts.at(time).withUserConfiguration(App.class).run(context -> {
            Orders orders = context.getBean(Orders.class);
            orders.later();
            assertThat(context.getBean(App.class).next()).isEqualTo("allowed on " + ASYNC_THREAD);
            orders.later();
            assertThat(context.getBean(App.class).next()).isEqualTo("denied on " + ASYNC_THREAD);
            assertThat(context.getBean(App.class).next()).isEqualTo("uncaught RateLimitedException");
        });
    }
}
