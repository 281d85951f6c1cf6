/** An application, and tests of its web layer alone, as users of {@code @WebMvcTest} and {@code @WebFluxTest} write them. */
@NullMarked
package io.sluice.spring.test.slice;

import org.jspecify.annotations.NullMarked;
