package io.sluice.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.memory.MemoryStore;
import io.sluice.redis.RedisStore;
import io.sluice.spring.SluiceSettingsException;
import io.sluice.spring.client.SluiceClientAutoConfiguration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** Which store an application gets. Nobody listens at the addresses of Redis. */
@ExtendWith(OutputCaptureExtension.class)
class StoreChoiceTest {
    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    SluiceRedisAutoConfiguration.class,
                    SluiceAutoConfiguration.class,
                    SluiceClientAutoConfiguration.class))
            .withPropertyValues("sluice.redis.connect-wait=0s");

    private static LettuceConnectionFactory factory() {
        return new LettuceConnectionFactory("127.0.0.1", 1);
    }

    private final ApplicationContextRunner two = runner.withBean(
                    "orders", LettuceConnectionFactory.class, StoreChoiceTest::factory)
            .withBean("sessions", LettuceConnectionFactory.class, StoreChoiceTest::factory);

    @Test
    void twoFactories_withoutPrimary_areNamedInTheLog(CapturedOutput output) {
        two.run(context -> {
            assertThat(context).hasSingleBean(MemoryStore.class);
            assertThat(output).contains("several Lettuce connection factories", "orders, sessions");
        });
    }

    @Test
    void twoFactories_withStoreRedis_areRefusedByName() {
        two.withPropertyValues("sluice.store=redis")
                .run(context -> assertThat(context.getStartupFailure())
                        .rootCause()
                        .isInstanceOf(SluiceSettingsException.class)
                        .hasMessageContaining("orders, sessions"));
    }

    @Test
    void twoFactories_withPrimary_takesThatOne() {
        runner.withBean("orders", LettuceConnectionFactory.class, StoreChoiceTest::factory)
                .withBean(
                        "sessions",
                        LettuceConnectionFactory.class,
                        StoreChoiceTest::factory,
                        definition -> definition.setPrimary(true))
                .run(context -> assertThat(context).hasSingleBean(RedisStore.class));
    }

    @Test
    void storeRedis_withoutRedis_isRefused() {
        runner.withPropertyValues("sluice.store=redis")
                .run(context -> assertThat(context.getStartupFailure())
                        .rootCause()
                        .isInstanceOf(SluiceSettingsException.class)
                        .hasMessageContaining("there is no Redis"));
    }

    /** It must not count in memory without a word. */
    @Test
    void ownRedis_withoutLettuce_isRefused() {
        runner.withClassLoader(new FilteredClassLoader("io.lettuce"))
                .withPropertyValues("sluice.redis.uri=redis://127.0.0.1:1")
                .run(context -> assertThat(context.getStartupFailure())
                        .rootCause()
                        .isInstanceOf(SluiceSettingsException.class)
                        .hasMessageContaining("lettuce-core is not on the class path"));
    }

    @Test
    void ownRedis_withTlsAndCredentials_starts() {
        runner.withPropertyValues("sluice.redis.uri=rediss://user:pass@127.0.0.1:1/2")
                .run(context -> assertThat(context).hasSingleBean(RedisStore.class));
    }

    /** Spring Boot cuts a text at its commas to make a list. */
    @Test
    void ownRedis_ofSeveralSentinels_isOneAddress() {
        runner.withPropertyValues("sluice.redis.uri=redis-sentinel://127.0.0.1:1,127.0.0.1:2#primary")
                .run(context -> assertThat(context).hasSingleBean(RedisStore.class));
        assertThat(RedisAddresses.whole(List.of("redis-sentinel://:a", "b@h1:1", "h2:2#m")))
                .containsExactly("redis-sentinel://:a,b@h1:1,h2:2#m");
        assertThat(RedisAddresses.whole(List.of("redis://h1:1", "redis://h2:2")))
                .containsExactly("redis://h1:1", "redis://h2:2");
    }

    @Test
    void ownRedis_withAWrongUri_isRefusedWithoutThePassword() {
        runner.withPropertyValues("sluice.redis.uri=rds://user:hidden@127.0.0.1:1")
                .run(context -> assertThat(context.getStartupFailure())
                        .rootCause()
                        .isInstanceOf(SluiceSettingsException.class)
                        .hasMessageContaining("sluice.redis.uri")
                        .hasMessageNotContaining("hidden"));
    }

    @Test
    void limitsOfClients_doNotNeedRedisAtTheStart() {
        runner.withPropertyValues(
                        "sluice.redis.uri=redis://127.0.0.1:1",
                        "sluice.redis.deadline=10s",
                        "sluice.clients.partner.limit=1/s")
                .run(context -> assertThat(context).hasNotFailed());
    }
}
