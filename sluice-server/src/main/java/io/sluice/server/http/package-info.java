/**
 * The HTTP protocol: routes, request bodies, responses, and the timeouts of connections. {@code admin} and {@code ops} add routes
 * to it; it knows no other protocol.
 */
@NullMarked
package io.sluice.server.http;

import org.jspecify.annotations.NullMarked;
