package io.sluice.cli.console;

import java.io.IOException;

/** Standard output takes no more. */
public final class OutputException extends RuntimeException {
    private static final long serialVersionUID = 1;

    public OutputException(IOException cause) {
        super("standard output: " + cause.getMessage(), cause);
    }

    /** Whether only the reader has gone, as in {@code | head}: no error, there is just nobody left to write to. */
    public boolean readerHasGone() {
        String reason = String.valueOf(getMessage());
        return reason.contains("Broken pipe") || reason.contains("pipe is being closed");
    }
}
