package io.sluice.spi;

/** When a charge takes its permits. */
public enum Taking {
    /** If the whole request is allowed. */
    IF_ADMITTED,
    /** Whatever is decided, even into debt. The verdict is as ever: on the state before. */
    ALWAYS,
    /** If the whole request is allowed, whatever this limit itself says, even into debt. The verdict is on the state before. */
    WITH_REQUEST,
    /**
     * First, whatever is left. Then the charge is judged as a request for 0 permits. All charges of a decision are taken first, or
     * none is.
     */
    FIRST
}
