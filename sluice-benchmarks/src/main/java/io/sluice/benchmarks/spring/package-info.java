/**
 * {@code bench spring}: the cost of the Spring Boot starter, in applications that run in their own processes, beside other
 * starters and the rate limiter of Spring Cloud Gateway. Only {@link io.sluice.benchmarks.Main} uses it.
 */
@NullMarked
package io.sluice.benchmarks.spring;

import org.jspecify.annotations.NullMarked;
