/**
 * HTTP headers and response bodies for decisions, for any web framework, and the address of the client behind proxies.
 * Users may use it; it uses {@code io.sluice.policy} only.
 */
@NullMarked
package io.sluice.http;

import org.jspecify.annotations.NullMarked;
