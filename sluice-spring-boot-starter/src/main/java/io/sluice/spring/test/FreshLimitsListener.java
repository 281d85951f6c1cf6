package io.sluice.spring.test;

import org.springframework.core.Ordered;
import org.springframework.test.context.TestContext;
import org.springframework.test.context.TestExecutionListener;

/** Gives each test method fresh limits, in tests with {@link AutoConfigureSluice}. Other tests notice nothing of it. */
final class FreshLimitsListener implements TestExecutionListener, Ordered {
    /** After Spring has injected the beans, and before the listeners of applications, which may use limits. */
    @Override
    public int getOrder() {
        return 2500;
    }

    @Override
    public void beforeTestMethod(TestContext test) {
        if (isConfigured(test.getTestClass()) && test.hasApplicationContext()) {
            test.getApplicationContext().getBeanProvider(FreshLimits.class).ifAvailable(FreshLimits::reset);
        }
    }

    private static boolean isConfigured(Class<?> testClass) {
        return SluiceContextCustomizer.Factory.annotation(testClass) != null;
    }
}
