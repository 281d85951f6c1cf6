package io.sluice.policy.match;

import io.sluice.policy.Condition;
import io.sluice.policy.JsonText;
import org.jspecify.annotations.Nullable;

/**
 * A condition that a request does not satisfy.
 *
 * @param attribute the name of the attribute
 * @param expected the condition
 * @param value the value of the attribute; null if the request does not have it
 */
public record Mismatch(
        String attribute, Condition expected, @Nullable String value) {
    /** {@code path is "/login" (expected: "/api/**")}, {@code tenant is absent (expected: "acme")}. */
    @Override
    public String toString() {
        return attribute + " is " + (value == null ? "absent" : JsonText.quoted(value)) + " (expected: " + expected
                + ")";
    }
}
