/**
 * The rate limit service that Envoy calls, and the gRPC that it needs.
 *
 * <p>A call has a domain and descriptors. Policies see the entries of each descriptor as attributes, the last of those with
 * the same key, and the domain as the attribute {@code domain}. All descriptors of a call are charged, or none; each has its
 * own code.
 */
@NullMarked
package io.sluice.server.rls;

import org.jspecify.annotations.NullMarked;
