package io.sluice.server.json;

import java.time.Duration;

/**
 * A request whose permits are an estimate.
 *
 * @param ttl how long it can be settled
 */
public record ReserveRequest(CheckRequest check, Duration ttl) {}
