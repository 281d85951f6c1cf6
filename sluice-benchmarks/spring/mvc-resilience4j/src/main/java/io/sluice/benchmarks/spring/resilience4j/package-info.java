/** The application with resilience4j-spring-boot3. */
@NullMarked
package io.sluice.benchmarks.spring.resilience4j;

import org.jspecify.annotations.NullMarked;
