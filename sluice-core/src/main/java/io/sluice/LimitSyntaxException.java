package io.sluice;

/** Thrown if a text is not a {@link Limit}. The message, one line, says what is wrong, where, and what was expected. */
public final class LimitSyntaxException extends IllegalArgumentException {
    private static final long serialVersionUID = 1;

    private final int column;
    private final String problem;

    LimitSyntaxException(String text, int column, String problem) {
        super("limit \"" + text + "\", column " + column + ": " + problem);
        this.column = column;
        this.problem = problem;
    }

    /** The position in the text, counted from 1. */
    public int column() {
        return column;
    }

    /** What is wrong and what was expected, without the text and the position. */
    public String problem() {
        return problem;
    }
}
