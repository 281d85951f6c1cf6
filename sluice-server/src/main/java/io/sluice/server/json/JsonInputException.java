package io.sluice.server.json;

/** A JSON text that cannot be used. The message is one line, unless a value in the text has line breaks. */
public final class JsonInputException extends Exception {
    private static final long serialVersionUID = 1;

    private final int offset;

    JsonInputException(int offset, String message) {
        // Without a stack trace: the input is wrong, not this program.
        super(message, null, false, false);
        this.offset = offset;
    }

    /** The offset of the byte at which the error was found, or the end of the text. */
    public int offset() {
        return offset;
    }
}
