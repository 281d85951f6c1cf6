package io.sluice.spring.test;

import io.sluice.TimeSource;
import io.sluice.memory.MemoryStore;
import io.sluice.spring.autoconfigure.SluiceAutoConfiguration;
import io.sluice.testkit.ManualTime;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/** Manual time for tests with {@link AutoConfigureSluice}. Applications never have it. */
@AutoConfiguration(before = SluiceAutoConfiguration.class)
@ConditionalOnClass(ManualTime.class)
public class SluiceTestAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean(TimeSource.class)
    ManualTime sluiceManualTime() {
        return new ManualTime();
    }

    @Bean
    FreshLimits sluiceFreshLimits(ObjectProvider<ManualTime> time, ObjectProvider<MemoryStore> store) {
        return new FreshLimits(time, store);
    }
}
