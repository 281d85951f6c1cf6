package io.sluice.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.memory.MemoryStore;
import io.sluice.policy.PolicyEngine;
import io.sluice.redis.RedisStore;
import io.sluice.spi.PolicyStore;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

class SluiceAutoConfigurationTest {
    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(
                    AutoConfigurations.of(SluiceRedisAutoConfiguration.class, SluiceAutoConfiguration.class));

    @Test
    void policies_inProperties_decide() {
        runner.withPropertyValues(
                        "sluice.policies[0].name=per-tenant",
                        "sluice.policies[0].key=tenant",
                        "sluice.policies[0].limit=2/h")
                .run(context -> {
                    assertThat(context).hasSingleBean(MemoryStore.class);
                    PolicyEngine engine = context.getBean(PolicyEngine.class);
                    Map<String, String> acme = Map.of("tenant", "acme");
                    assertThat(engine.check(acme).allowed()).isTrue();
                    assertThat(engine.check(acme).allowed()).isTrue();
                    assertThat(engine.check(acme).allowed()).isFalse();
                });
    }

    @Test
    void disabled_hasNoBeans() {
        runner.withPropertyValues("sluice.enabled=false")
                .run(context ->
                        assertThat(context).doesNotHaveBean(PolicyEngine.class).doesNotHaveBean(PolicyStore.class));
    }

    @Test
    void misspeltField_isRefusedWithItsName() {
        runner.withPropertyValues("sluice.policies[0].name=a", "sluice.policies[0].limt=2/h")
                .run(context -> assertThat(context.getStartupFailure())
                        .rootCause()
                        .hasMessageContaining("sluice.policies[0].limt")
                        .hasMessageContaining("limt"));
    }

    @Test
    void withoutLettuce_countsInMemory() {
        runner.withClassLoader(new FilteredClassLoader("io.lettuce", "org.springframework.data.redis"))
                .run(context ->
                        assertThat(context).hasSingleBean(MemoryStore.class).doesNotHaveBean(RedisStore.class));
    }

    @Test
    void storeOfApplication_isUsed() {
        MemoryStore own = MemoryStore.create();
        runner.withBean(MemoryStore.class, () -> own)
                .run(context -> assertThat(context.getBean(PolicyStore.class)).isSameAs(own));
    }
}
