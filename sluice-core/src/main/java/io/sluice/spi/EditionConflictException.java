package io.sluice.spi;

/** Thrown if another edition was published meanwhile. Nothing was published. */
public final class EditionConflictException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final long latest;

    public EditionConflictException(String publication, long after, long latest) {
        super("\"" + publication + "\": edition " + latest + " is the latest (expected: " + after + ")");
        this.latest = latest;
    }

    /** The number of the latest edition, 0 if there is none. */
    public long latest() {
        return latest;
    }
}
