/**
 * The last 15 minutes of the service, for its dashboard: counts, latency, replicas and alerts, as a history and as a stream.
 * Only {@code io.sluice.server} uses it.
 */
@NullMarked
package io.sluice.server.live;

import org.jspecify.annotations.NullMarked;
