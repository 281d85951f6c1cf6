package io.sluice.policy;

/**
 * A frequent key, and how often it was seen: at least {@code count - error} times, at most {@code count} times.
 *
 * @param policy the name of the policy
 * @param key the text of the key
 * @param count the upper bound of the count
 * @param error the maximum error of {@code count}
 */
public record TopKey(String policy, String key, long count, long error) {}
