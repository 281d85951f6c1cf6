package io.sluice.spring.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.sluice.spring.SluiceSettingsException;
import io.sluice.testkit.ManualTime;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.test.context.MergedContextConfiguration;
import org.springframework.test.context.support.AnnotationConfigContextLoader;

/** A test of an application that has the starter, but not {@code sluice-testkit}. */
class WithoutTestkitTest {
    private final MergedContextConfiguration merged = new MergedContextConfiguration(
            WithoutTestkitTest.class, null, null, null, new AnnotationConfigContextLoader());

    @Test
    void testkitIsMissing_saysWhatToAdd() {
        try (GenericApplicationContext context = new GenericApplicationContext()) {
            context.setClassLoader(new FilteredClassLoader(ManualTime.class));
            assertThatExceptionOfType(SluiceSettingsException.class)
                    .isThrownBy(() -> new SluiceContextCustomizer(true).customizeContext(context, merged))
                    .withMessageContaining("@AutoConfigureSluice")
                    .withMessageContaining("sluice-testkit")
                    .satisfies(e -> assertThat(e.action()).contains("io.sluice:sluice-testkit"));
        }
    }

    @Test
    void testkitIsThere_storeIsInMemory() {
        try (GenericApplicationContext context = new GenericApplicationContext()) {
            new SluiceContextCustomizer(true).customizeContext(context, merged);
            assertThat(context.getEnvironment().getProperty("sluice.store")).isEqualTo("memory");
            assertThat(context.getEnvironment().getProperty("sluice.enabled")).isNull();
        }
    }
}
