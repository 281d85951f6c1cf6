package io.sluice.micrometer;

import io.micrometer.core.instrument.Tags;
import io.sluice.policy.KeyPart;
import io.sluice.policy.LimitInForce;
import io.sluice.policy.LimitOverride;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The identity of a limit in a registry: the values of its tags.
 *
 * @param override the name of the override; empty for the policy's own limit
 * @param key the attributes of the policy's key; empty if it has none
 */
record LimitSeries(String policy, String override, String key, String scope) {
    /** The series of a limit; null for an override without a name, because the text of its match may be of any length. */
    static @Nullable LimitSeries of(LimitInForce limit) {
        LimitOverride override = limit.override();
        String name = override == null ? "" : override.name();
        if (name == null) {
            return null;
        }
        return new LimitSeries(
                limit.policy().name(),
                name,
                limit.policy().key().stream().map(KeyPart::toString).collect(Collectors.joining(",")),
                limit.scope().name().toLowerCase(Locale.ROOT));
    }

    Tags tags() {
        return Tags.of("policy", policy, "override", override, "key", key, "scope", scope);
    }
}
