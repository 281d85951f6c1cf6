/**
 * What the filters of both web stacks share: attributes of a request, its end, and the headers and body of a response. The
 * filters, the gateway and {@code @RateLimited} use it.
 */
@NullMarked
package io.sluice.spring.web;

import org.jspecify.annotations.NullMarked;
