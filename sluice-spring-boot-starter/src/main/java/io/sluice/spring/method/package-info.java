/**
 * {@code @RateLimited}: finds annotated methods, checks them at the start, and decides their calls. Nobody else uses it. A call comes
 * in at {@code RateLimitedInterceptor}, which asks the {@code Rule} of its {@code LimitedMethod}.
 */
@NullMarked
package io.sluice.spring.method;

import org.jspecify.annotations.NullMarked;
