/** Tests of {@code @RateLimited}: on context runners with manual time, in real applications, and on a real Redis. */
@NullMarked
package io.sluice.spring.method;

import org.jspecify.annotations.NullMarked;
