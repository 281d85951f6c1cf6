/** Tests of the WebFlux filter in a real server. */
@NullMarked
package io.sluice.spring.webflux;

import org.jspecify.annotations.NullMarked;
