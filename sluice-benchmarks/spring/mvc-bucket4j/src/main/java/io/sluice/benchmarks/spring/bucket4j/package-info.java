/** The application with bucket4j-spring-boot-starter. */
@NullMarked
package io.sluice.benchmarks.spring.bucket4j;

import org.jspecify.annotations.NullMarked;
