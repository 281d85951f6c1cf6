package io.sluice.cli;

/** The store does not do its work, through no fault of the user. The message is one line. */
final class StoreFailure extends RuntimeException {
    private static final long serialVersionUID = 1;

    StoreFailure(String message) {
        super(message);
    }
}
