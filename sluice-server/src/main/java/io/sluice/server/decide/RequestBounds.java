package io.sluice.server.decide;

/** How much a request may bring, on every listener. */
public final class RequestBounds {
    /** Bytes of a body, or of one command. */
    public static final int BODY = 64 * 1024;

    /** Bytes of all headers. */
    public static final int HEADERS = 16 * 1024;

    /** Checks in one call. */
    public static final int BATCH = 1000;

    public static final int ATTRIBUTES = 64;

    /** Bytes of UTF-8 of an attribute's name, and of its value. */
    public static final int ATTRIBUTE = 4096;

    private RequestBounds() {}
}
