package io.sluice.server.json;

/** What is wrong with a text. The message is one line, unless a value from the text has line breaks. */
public final class Misfit extends Exception {
    private static final long serialVersionUID = 1;

    private final int offset;

    Misfit(int offset, String message) {
        // Nobody reads where in this program it was found.
        super(message, null, false, false);
        this.offset = offset;
    }

    /** The byte at which it was found, or the end. */
    public int offset() {
        return offset;
    }
}
