package io.sluice.server.resp;

/** The input is not RESP or exceeds the bounds, so the connection is closed. */
final class ProtocolException extends Exception {
    private final String reason;

    ProtocolException(String reason) {
        // Without a stack trace: the input is wrong, not this program.
        super(reason, null, false, false);
        this.reason = reason;
    }

    String reason() {
        return reason;
    }
}
