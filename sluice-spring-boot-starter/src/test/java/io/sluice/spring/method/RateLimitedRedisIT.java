package io.sluice.spring.method;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.RateLimitedException;
import io.sluice.redis.RedisStore;
import io.sluice.spring.RateLimited;
import io.sluice.spring.autoconfigure.SluiceAutoConfiguration;
import io.sluice.spring.autoconfigure.SluiceRedisAutoConfiguration;
import io.sluice.testkit.redis.RedisProcess;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import reactor.core.publisher.Mono;

/** Two applications on one Redis. */
class RateLimitedRedisIT {
    private static RedisProcess redis;

    @BeforeAll
    static void start() {
        redis = RedisProcess.start();
    }

    @AfterAll
    static void stop() {
        redis.close();
    }

    static class Orders {
        @RateLimited(limit = "${orders.limit:10/h}", key = "#user")
        public void byLimit(String user) {}

        @RateLimited(policy = "per-user", key = "#user")
        public void byPolicy(String user) {}

        @RateLimited(limit = "${orders.limit:10/h}", key = "#user", maxWait = "1s")
        public CompletableFuture<String> waiting(String user) {
            return CompletableFuture.completedFuture(user);
        }

        @RateLimited(limit = "1000/h")
        public CompletableFuture<String> threadOfStage() {
            return CompletableFuture.completedFuture(Thread.currentThread().getName());
        }

        @RateLimited(limit = "1000/h")
        public Mono<String> threadOfMono() {
            return Mono.just(Thread.currentThread().getName());
        }

        @RateLimited(policy = "per-user", key = "#user")
        public Mono<String> reactive(String user) {
            return Mono.just(user);
        }
    }

    private static ApplicationContextRunner application(String... properties) {
        return new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        SluiceRedisAutoConfiguration.class,
                        SluiceAutoConfiguration.class,
                        SluiceMethodAutoConfiguration.class))
                .withBean(Orders.class)
                .withPropertyValues("sluice.redis.uri=redis://127.0.0.1:" + redis.port(), "sluice.redis.deadline=5s")
                .withPropertyValues(MethodContexts.policy("per-user", "user", "10/h"))
                .withPropertyValues(properties);
    }

    private static void inTwo(BiConsumer<Orders, Orders> test) {
        application().run(one -> {
            assertThat(one).hasSingleBean(RedisStore.class);
            application().run(two -> test.accept(one.getBean(Orders.class), two.getBean(Orders.class)));
        });
    }

    /** How many of 12 calls are allowed, in turns. */
    private static int allowed(Runnable one, Runnable two) {
        int allowed = 0;
        for (int i = 0; i < 12; i++) {
            try {
                (i % 2 == 0 ? one : two).run();
                allowed++;
            } catch (RateLimitedException e) {
                assertThat(e.decision().degraded()).isFalse();
            }
        }
        return allowed;
    }

    @Test
    void limit_isSharedByTwoApplications() {
        inTwo((one, two) -> assertThat(allowed(() -> one.byLimit("ada"), () -> two.byLimit("ada")))
                .isEqualTo(10));
    }

    @Test
    void policy_isSharedByTwoApplications_andByKindsOfResults() {
        inTwo((one, two) -> assertThat(allowed(
                        () -> one.byPolicy("ada"), () -> two.reactive("ada").block()))
                .isEqualTo(10));
    }

    @Test
    void waitingLimit_isSharedByTwoApplications() {
        inTwo((one, two) -> assertThat(allowed(() -> join(one.waiting("ada")), () -> join(two.waiting("ada"))))
                .isEqualTo(10));
    }

    /** The thread of the connection has to complete the decisions of all others. */
    @Test
    void asynchronousMethod_runsNotOnTheThreadOfTheConnection() {
        application().run(context -> {
            Orders orders = context.getBean(Orders.class);
            for (int i = 0; i < 20; i++) {
                assertThat(orders.threadOfStage().get(10, TimeUnit.SECONDS)).doesNotContain("lettuce");
                assertThat(orders.threadOfMono().block()).doesNotContain("lettuce");
            }
        });
    }

    @Test
    void limit_ofANewVersion_keepsTheUse() {
        application().run(one -> {
            Orders before = one.getBean(Orders.class);
            for (int i = 0; i < 10; i++) {
                before.byLimit("eve");
                join(before.waiting("eve"));
            }
        });
        application("orders.limit=12/h").run(two -> {
            Orders after = two.getBean(Orders.class);
            assertThat(allowed(() -> after.byLimit("eve"), () -> after.byLimit("eve")))
                    .isEqualTo(2);
            assertThat(allowed(() -> join(after.waiting("eve")), () -> join(after.waiting("eve"))))
                    .isEqualTo(2);
        });
    }

    private static void join(CompletableFuture<String> future) {
        try {
            future.get(10, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RateLimitedException denial) {
                throw denial;
            }
            throw new AssertionError(e);
        } catch (InterruptedException | TimeoutException e) {
            throw new AssertionError(e);
        }
    }
}
