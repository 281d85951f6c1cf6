package io.sluice.spring.autoconfigure;

import io.sluice.policy.PolicyException;
import io.sluice.spring.SluiceSettingsException;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.FailureAnalyzer;

/** Prints mistakes in settings, policies and annotations without a stack trace, with what to do. */
final class SettingsFailureAnalyzer implements FailureAnalyzer {
    @Override
    public @Nullable FailureAnalysis analyze(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof SluiceSettingsException settings) {
                return new FailureAnalysis(settings.getMessage(), settings.action(), settings);
            }
            if (cause instanceof PolicyException policies) {
                return new FailureAnalysis(
                        "The policies of Sluice are refused:\n\n" + policies.getMessage(),
                        "Correct the policies. docs/reference/policies.md describes their fields.",
                        policies);
            }
        }
        return null;
    }
}
