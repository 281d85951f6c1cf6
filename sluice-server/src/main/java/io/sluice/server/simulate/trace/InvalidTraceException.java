package io.sluice.server.simulate.trace;

/** A trace cannot be used. The message is one line: what is wrong, where, what was expected. */
public final class InvalidTraceException extends RuntimeException {
    private static final long serialVersionUID = 1;

    public InvalidTraceException(String message) {
        super(message);
    }
}
