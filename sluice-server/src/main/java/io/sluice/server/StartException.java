package io.sluice.server;

/** A server cannot start here and now, though it was told nothing wrong. The message is one line. */
public final class StartException extends RuntimeException {
    private static final long serialVersionUID = 1;

    public StartException(String message) {
        super(message);
    }
}
