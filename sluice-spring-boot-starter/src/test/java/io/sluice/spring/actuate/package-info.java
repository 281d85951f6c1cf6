/** Tests of the endpoint and the health contribution, in running applications. */
@NullMarked
package io.sluice.spring.actuate;

import org.jspecify.annotations.NullMarked;
