package io.sluice.policy.envoy;

import java.util.Objects;

/**
 * A part of a descriptor, as Envoy sends it.
 *
 * @param key such as {@code remote_address}
 * @param value such as {@code 203.0.113.9}; may be empty
 */
public record EnvoyEntry(String key, String value) {
    public EnvoyEntry {
        Objects.requireNonNull(key, "key");
        Objects.requireNonNull(value, "value");
    }
}
