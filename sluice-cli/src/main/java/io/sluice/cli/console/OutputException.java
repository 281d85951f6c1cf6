package io.sluice.cli.console;

import java.io.IOException;

/** Standard output cannot be written. */
public final class OutputException extends RuntimeException {
    private static final long serialVersionUID = 1;

    public OutputException(IOException cause) {
        super("standard output: " + cause.getMessage(), cause);
    }

    /** Whether the reader has closed the pipe, as {@code head} does. That is not an error. */
    public boolean isBrokenPipe() {
        String reason = String.valueOf(getMessage());
        return reason.contains("Broken pipe") || reason.contains("pipe is being closed");
    }
}
