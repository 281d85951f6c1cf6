/**
 * Tests of the starter. They also run on Spring Boot 4.1, compiled as they are, see compatibility/spring-boot-4.1. So they use no type
 * that has another package there.
 */
@NullMarked
package io.sluice.spring;

import org.jspecify.annotations.NullMarked;
