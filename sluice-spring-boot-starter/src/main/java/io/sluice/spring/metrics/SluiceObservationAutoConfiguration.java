package io.sluice.spring.metrics;

import io.micrometer.observation.ObservationRegistry;
import io.sluice.spring.DecisionObserver;
import io.sluice.spring.autoconfigure.SluiceAutoConfiguration;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.context.annotation.Bean;

/**
 * An observation of every decision, if the application has an {@code ObservationRegistry}. {@code
 * management.observations.enable.sluice=false} switches it off.
 */
@AutoConfiguration(
        before = SluiceAutoConfiguration.class,
        afterName = {
            "org.springframework.boot.actuate.autoconfigure.observation.ObservationAutoConfiguration",
            "org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration"
        })
@ConditionalOnProperty(name = "sluice.enabled", matchIfMissing = true)
@ConditionalOnClass(ObservationRegistry.class)
@ConditionalOnSingleCandidate(ObservationRegistry.class)
public class SluiceObservationAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean(DecisionObserver.class)
    DecisionObserver sluiceObservedDecisions(
            ObservationRegistry registry, ObjectProvider<DecisionObservationConvention> convention) {
        return new ObservedDecisions(registry, convention.getIfUnique());
    }
}
