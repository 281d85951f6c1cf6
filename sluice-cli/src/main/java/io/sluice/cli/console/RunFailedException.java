package io.sluice.cli.console;

/** The store does not do its work, through no fault of the user. The message is one line. */
public final class RunFailedException extends RuntimeException {
    private static final long serialVersionUID = 1;

    public RunFailedException(String message) {
        super(message);
    }
}
