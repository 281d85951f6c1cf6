package io.sluice.server.resp;

/** The bytes are no RESP, or more than may come: the connection ends. */
final class ProtocolException extends Exception {
    ProtocolException(String message) {
        // It tells a client about itself, not where in the code.
        super(message, null, false, false);
    }
}
