package io.sluice.cli.console;

/** The command failed although its input is valid: a store or a server does not work. The message is one line. */
public final class RunFailedException extends RuntimeException {
    private static final long serialVersionUID = 1;

    public RunFailedException(String message) {
        super(message);
    }
}
