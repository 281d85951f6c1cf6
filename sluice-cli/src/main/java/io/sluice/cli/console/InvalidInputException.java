package io.sluice.cli.console;

/** The input of the user cannot be used: an option, a file or a line. The message is one line: what is wrong, what was expected. */
public final class InvalidInputException extends RuntimeException {
    private static final long serialVersionUID = 1;

    public InvalidInputException(String message) {
        super(message);
    }
}
