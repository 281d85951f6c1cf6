package io.sluice.server.simulate.trace;

import java.util.Map;

/**
 * A recorded request with attributes, decided by policies.
 *
 * @param signals the values of signals that were measured just before it, by their names; mostly empty
 */
public record PolicyRequest(long timeMicros, Map<String, String> attributes, long permits, Map<String, Double> signals)
        implements TimedRequest {
    /** A request for which nothing was measured. */
    public PolicyRequest(long timeMicros, Map<String, String> attributes, long permits) {
        this(timeMicros, attributes, permits, Map.of());
    }
}
