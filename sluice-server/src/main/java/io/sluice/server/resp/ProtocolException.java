package io.sluice.server.resp;

/** The bytes are no RESP, or more than may come: the connection ends. */
final class ProtocolException extends Exception {
    private final String why;

    ProtocolException(String why) {
        // It tells a client about itself, not where in the code.
        super(why, null, false, false);
        this.why = why;
    }

    String why() {
        return why;
    }
}
