package io.sluice.policy;

/**
 * An error or a warning in a policy file.
 *
 * @param severity error or warning
 * @param source the name of the file
 * @param line the line, from 1
 * @param column the column, from 1
 * @param message the problem, and what was expected
 */
public record Problem(Severity severity, String source, int line, int column, String message) {
    /** Error or warning. */
    public enum Severity {
        /** The file cannot be used. */
        ERROR,
        /** The file can be used, but it probably does not do what its author wants. */
        WARNING
    }

    /** {@code policies.yaml:7:12: error: ...}. */
    @Override
    public String toString() {
        return source + ":" + line + ":" + column + ": " + (severity == Severity.ERROR ? "error" : "warning") + ": "
                + message;
    }
}
