package io.sluice.policy;

import java.util.Objects;

/**
 * An attribute whose value is part of a key.
 *
 * @param attribute its name
 * @param prefix how many leading bits of an address count, as in {@code ip/64}; -1 if the whole value does
 */
public record KeyPart(String attribute, int prefix) {
    /** The {@link #prefix()} of a part that is no network. */
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
