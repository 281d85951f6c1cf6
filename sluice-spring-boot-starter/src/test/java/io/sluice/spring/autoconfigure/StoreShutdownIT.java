package io.sluice.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.Limit;
import io.sluice.redis.RedisStore;
import io.sluice.testkit.redis.RedisProcess;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** The connection of the store and the client of the application close one after the other. */
@ExtendWith(OutputCaptureExtension.class)
class StoreShutdownIT {
    @Test
    void close_leavesNoWarningOfTheClient(CapturedOutput output) {
        try (RedisProcess redis = RedisProcess.start()) {
            for (int i = 0; i < 10; i++) {
                new ApplicationContextRunner()
                        .withConfiguration(AutoConfigurations.of(
                                SluiceRedisAutoConfiguration.class, SluiceAutoConfiguration.class))
                        .withBean(
                                LettuceConnectionFactory.class,
                                () -> new LettuceConnectionFactory("127.0.0.1", redis.port()))
                        .run(context -> assertThat(context.getBean(RedisStore.class)
                                        .limiter("l", Limit.parse("100/h"))
                                        .tryAcquire("k"))
                                .isTrue());
            }
        }
        assertThat(output).doesNotContain("already closed");
    }
}
