package io.sluice.policy;

/**
 * Something in a file that is wrong or suspicious.
 *
 * @param severity how bad
 * @param source where it was read from: a file's name
 * @param line from 1
 * @param column from 1
 * @param message what is wrong and what was expected
 */
public record Problem(Severity severity, String source, int line, int column, String message) {
    /** How bad a problem is. */
    public enum Severity {
        /** It cannot be used. */
        ERROR,
        /** It can, but probably does not do what was meant. */
        WARNING
    }

    /** {@code policies.yaml:7:12: error: ...}. */
    @Override
    public String toString() {
        return source + ":" + line + ":" + column + ": " + (severity == Severity.ERROR ? "error" : "warning") + ": "
                + message;
    }
}
