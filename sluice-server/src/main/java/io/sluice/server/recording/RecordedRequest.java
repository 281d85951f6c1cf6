package io.sluice.server.recording;

import java.util.List;
import java.util.Map;

/**
 * A request that was decided.
 *
 * @param micros its time, since the epoch
 * @param attributes those that the policies use
 * @param violated the names of the policies that denied it
 */
public record RecordedRequest(
        long micros, Map<String, String> attributes, long permits, boolean allowed, List<String> violated) {}
