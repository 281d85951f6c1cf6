/**
 * Sluice in the actuator: the endpoint {@code sluice} and the health of the store. The configurations are present only if the
 * application has the actuator. Nobody else uses it.
 */
@NullMarked
package io.sluice.spring.actuate;

import org.jspecify.annotations.NullMarked;
