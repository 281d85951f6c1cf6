package io.sluice.policy;

import java.util.Objects;

/**
 * An attribute whose value is part of a policy's key.
 *
 * @param attribute the name of the attribute
 * @param prefix the number of leading bits of an address that are used, as in {@code ip/64}; -1 for the whole value
 */
public record KeyPart(String attribute, int prefix) {
    /** The {@link #prefix()} of a part that uses the whole value. */
    public static final int WHOLE = -1;

    public KeyPart {
        Objects.requireNonNull(attribute, "attribute");
        if (attribute.isEmpty()) {
            throw new IllegalArgumentException("key: \"\" (expected: the name of an attribute)");
        }
        if (prefix < WHOLE || prefix > 128) {
            throw new IllegalArgumentException(
                    "key: \"" + attribute + "/" + prefix + "\" (expected: a prefix of 0 to 128)");
        }
    }

    /** As in the file: {@code tenant}, {@code ip/64}. */
    @Override
    public String toString() {
        return prefix == WHOLE ? attribute : attribute + "/" + prefix;
    }
}
