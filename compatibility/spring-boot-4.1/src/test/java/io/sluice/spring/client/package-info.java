/** Clients that only Spring Boot 4 builds. */
@NullMarked
package io.sluice.spring.client;

import org.jspecify.annotations.NullMarked;
