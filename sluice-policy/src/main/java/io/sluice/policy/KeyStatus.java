package io.sluice.policy;

import io.sluice.Decision;
import io.sluice.Limit;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What one limit of a policy counts for one key, and how that stands.
 *
 * @param policy whose it is
 * @param override whose limit it is; null for the policy's own
 * @param key the values, or networks, by the text of the key part
 * @param limit the limit in force
 * @param state what a request for one permit would be told
 */
public record KeyStatus(
        Policy policy, @Nullable LimitOverride override, Map<String, String> key, Limit limit, Decision state) {}
