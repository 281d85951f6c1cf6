package io.sluice.policy;

/**
 * A key and about how often it was seen: at least {@code count - error} times, at most {@code count} times.
 *
 * @param policy the name of the policy whose key it is
 * @param key its text
 * @param count how often, at most
 * @param error by how much that may be too much
 */
public record TopKey(String policy, String key, long count, long error) {}
