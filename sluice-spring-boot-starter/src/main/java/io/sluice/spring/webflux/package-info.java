/** The filter of WebFlux. Nobody else uses it. */
@NullMarked
package io.sluice.spring.webflux;

import org.jspecify.annotations.NullMarked;
