package io.sluice.server;

/** A server cannot start although its settings are valid, as when a port is in use. The message is one line. */
public final class StartException extends RuntimeException {
    private static final long serialVersionUID = 1;

    public StartException(String message) {
        super(message);
    }
}
