package io.sluice.server;

/** A server cannot start although its settings are valid: a port or the data directory is in use. The message is one line. */
public final class StartException extends RuntimeException {
    private static final long serialVersionUID = 1;

    public StartException(String message) {
        super(message);
    }
}
