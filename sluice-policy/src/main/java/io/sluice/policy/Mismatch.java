package io.sluice.policy;

import org.jspecify.annotations.Nullable;

/**
 * Why a request does not match.
 *
 * @param attribute the attribute that is not as expected
 * @param expected what was asked of it
 * @param value what it is; null if the request does not have it
 */
record Mismatch(
        String attribute, Condition expected, @Nullable String value) {
    /** {@code path is "/login" (expected: "/api/**")}, {@code tenant is absent (expected: "acme")}. */
    @Override
    public String toString() {
        return attribute + " is " + (value == null ? "absent" : Texts.quoted(value)) + " (expected: " + expected + ")";
    }
}
