/**
 * Costs of HTTP requests that are known only afterwards. Applications use {@link io.sluice.spring.Sluice} on the servlet stack, and
 * {@link io.sluice.spring.cost.ReactiveSluice} on WebFlux.
 */
@NullMarked
package io.sluice.spring.cost;

import org.jspecify.annotations.NullMarked;
