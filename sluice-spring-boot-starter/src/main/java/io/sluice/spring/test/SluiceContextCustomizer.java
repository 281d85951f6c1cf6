package io.sluice.spring.test;

import io.sluice.spring.SluiceSettingsException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.test.context.ContextConfigurationAttributes;
import org.springframework.test.context.ContextCustomizer;
import org.springframework.test.context.ContextCustomizerFactory;
import org.springframework.test.context.MergedContextConfiguration;
import org.springframework.test.context.TestContextAnnotationUtils;
import org.springframework.test.context.support.TestPropertySourceUtils;
import org.springframework.util.ClassUtils;

/**
 * Sets the properties of a test with {@link AutoConfigureSluice}. They come before all others. Tests with equal customizers
 * share their application context.
 */
record SluiceContextCustomizer(boolean enabled) implements ContextCustomizer {
    private static final String MANUAL_TIME = "io.sluice.testkit.ManualTime";

    @Override
    public void customizeContext(ConfigurableApplicationContext context, MergedContextConfiguration merged) {
        if (!ClassUtils.isPresent(MANUAL_TIME, context.getClassLoader())) {
            throw new SluiceSettingsException(
                    "@AutoConfigureSluice: " + MANUAL_TIME + " is not on the class path (expected: sluice-testkit)",
                    "Add io.sluice:sluice-testkit with scope test.");
        }
        TestPropertySourceUtils.addInlinedPropertiesToEnvironment(context, "sluice.store=memory");
        if (!enabled) {
            TestPropertySourceUtils.addInlinedPropertiesToEnvironment(context, "sluice.enabled=false");
        }
    }

    /** Finds the annotation of a test class, also on its superclasses and enclosing classes. */
    static final class Factory implements ContextCustomizerFactory {
        static @Nullable AutoConfigureSluice annotation(Class<?> testClass) {
            return TestContextAnnotationUtils.findMergedAnnotation(testClass, AutoConfigureSluice.class);
        }

        @Override
        public @Nullable ContextCustomizer createContextCustomizer(
                Class<?> testClass, List<ContextConfigurationAttributes> attributes) {
            AutoConfigureSluice annotation = annotation(testClass);
            return annotation == null ? null : new SluiceContextCustomizer(annotation.enabled());
        }
    }
}
