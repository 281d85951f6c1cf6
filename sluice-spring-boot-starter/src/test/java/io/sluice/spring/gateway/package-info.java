/** Tests of Spring Cloud Gateway with Sluice, with a downstream that counts. */
@NullMarked
package io.sluice.spring.gateway;

import org.jspecify.annotations.NullMarked;
