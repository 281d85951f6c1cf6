/**
 * The rate limit service that Envoy calls, and the gRPC protocol for it. Only {@code io.sluice.server} uses it.
 *
 * <p>A call has a domain and descriptors. Policies see the entries of each descriptor as attributes, and the domain as the
 * attribute {@code domain}; of entries with the same key, the last one counts. Either all descriptors of a call are charged or
 * none; each has its own code.
 */
@NullMarked
package io.sluice.server.rls;

import org.jspecify.annotations.NullMarked;
