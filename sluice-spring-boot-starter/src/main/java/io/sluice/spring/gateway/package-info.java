/**
 * Spring Cloud Gateway on WebFlux: a filter for routes, and a rate limiter for the gateway's own {@code RequestRateLimiter} filter.
 * Routes name both; Java code that defines routes uses {@link io.sluice.spring.gateway.SluiceGatewayFilterFactory} and {@link
 * io.sluice.spring.gateway.SluiceRateLimiter}.
 */
@NullMarked
package io.sluice.spring.gateway;

import org.jspecify.annotations.NullMarked;
