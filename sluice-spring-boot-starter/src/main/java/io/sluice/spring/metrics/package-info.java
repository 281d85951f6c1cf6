/**
 * Micrometer meters and observations of the decisions. The configurations bind them to the registries of the application.
 * Applications use {@link io.sluice.spring.metrics.DecisionObservationConvention} to change the observation.
 */
@NullMarked
package io.sluice.spring.metrics;

import org.jspecify.annotations.NullMarked;
