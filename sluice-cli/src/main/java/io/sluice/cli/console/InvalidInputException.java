package io.sluice.cli.console;

/** What the user gave cannot be used. The message is one line that says what was wrong and what was expected. */
public final class InvalidInputException extends RuntimeException {
    private static final long serialVersionUID = 1;

    public InvalidInputException(String message) {
        super(message);
    }
}
