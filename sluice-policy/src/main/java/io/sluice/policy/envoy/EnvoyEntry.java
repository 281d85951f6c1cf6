package io.sluice.policy.envoy;

import java.util.Objects;

/**
 * An entry of a descriptor that Envoy sends.
 *
 * @param key the key, such as {@code remote_address}
 * @param value the value, such as {@code 203.0.113.9}; may be empty
 */
public record EnvoyEntry(String key, String value) {
    public EnvoyEntry {
        Objects.requireNonNull(key, "key");
        Objects.requireNonNull(value, "value");
    }
}
