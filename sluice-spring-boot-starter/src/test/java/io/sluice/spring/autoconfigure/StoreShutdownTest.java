package io.sluice.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.Limit;
import io.sluice.RateLimiter;
import io.sluice.redis.RedisStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.SmartLifecycle;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** The order in which Spring really stops the beans. Nobody listens at the address of Redis: the calls wait for it. */
class StoreShutdownTest {
    private final List<String> stops = new ArrayList<>();
    private @Nullable RateLimiter limiter;

    private void stopping(String who) {
        stops.add(who + (isClosed() ? " after the store" : " before the store"));
    }

    /** A call that would have to wait fails at once if the store is closed. */
    private boolean isClosed() {
        CompletableFuture<Boolean> wait = Objects.requireNonNull(limiter)
                .tryAcquireAsync("k", Duration.ofHours(1))
                .toCompletableFuture();
        return wait.isCompletedExceptionally();
    }

    /** Says when it stops. */
    private final class Factory extends LettuceConnectionFactory {
        Factory() {
            super("127.0.0.1", 1);
        }

        @Override
        public void stop() {
            // Spring stops it again when it destroys the bean.
            if (isRunning()) {
                stopping("factory");
            }
            super.stop();
        }
    }

    /** A server or a scheduler, in the default phase. */
    private final class Caller implements SmartLifecycle {
        private boolean running;

        @Override
        public void start() {
            running = true;
        }

        @Override
        public void stop() {
            running = false;
            stopping("caller");
        }

        @Override
        public boolean isRunning() {
            return running;
        }
    }

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(SluiceRedisAutoConfiguration.class, SluiceAutoConfiguration.class))
            .withPropertyValues("sluice.redis.connect-wait=0s", "sluice.redis.on-failure=deny")
            .withBean(Caller.class, Caller::new)
            .withBean(LettuceConnectionFactory.class, Factory::new);

    @Test
    void store_closesAfterItsCallersAndBeforeTheConnectionFactory() {
        runner.run(context -> {
            limiter = context.getBean(RedisStore.class).limiter("l", Limit.parse("1/h"));
            context.close();
        });
        assertThat(stops).containsExactly("caller before the store", "factory after the store");
    }

    @Test
    void store_ofAContextThatOnlyStops_staysOpen() {
        runner.run(context -> {
            limiter = context.getBean(RedisStore.class).limiter("l", Limit.parse("1/h"));
            context.getSourceApplicationContext().stop();
            assertThat(stops).containsExactly("caller before the store", "factory before the store");
        });
    }
}
