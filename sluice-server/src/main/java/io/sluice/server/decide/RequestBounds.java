package io.sluice.server.decide;

/** The maximum sizes of a request, on every listener. */
public final class RequestBounds {
    /** Bytes of an HTTP body, a gRPC message or a RESP command. */
    public static final int BODY = 64 * 1024;

    /** Bytes of all headers together. */
    public static final int HEADERS = 16 * 1024;

    /** Requests of one {@code /v1/check:batch}. */
    public static final int BATCH = 1000;

    public static final int ATTRIBUTES = 64;

    /** Bytes of the name of an attribute, and of its value, in UTF-8. */
    public static final int ATTRIBUTE = 4096;

    private RequestBounds() {}
}
